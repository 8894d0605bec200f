package io.github.ratelimit.autoconfigure.reload;

import java.time.Instant;
import java.util.function.Supplier;

import io.github.ratelimit.autoconfigure.properties.PropertyGroups;
import io.github.ratelimit.autoconfigure.properties.PropertyNames;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.SchedulesInEffect;
import io.github.ratelimit.autoconfigure.properties.SourcedProperties;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The properties as they are now: those of the environment, and those that the policy
 * source has returned last.
 *
 * @param environment supplies the environment
 * @param sourced the policy source
 * @param areFromFiles whether files are read, which may be written at the same time
 */
record CurrentProperties(Supplier<Environment> environment, SourcedProperties sourced, boolean areFromFiles) {

	/** Returns the properties of an environment, which something else may change. */
	static CurrentProperties of(Environment environment, SourcedProperties sourced) {
		return new CurrentProperties(() -> environment, sourced, false);
	}

	/** Returns the properties of files, which are read each time. */
	static CurrentProperties of(ConfigurationFiles files, SourcedProperties sourced) {
		return new CurrentProperties(files::read, sourced, true);
	}

	/** Reads the properties, with the schedules of a time. */
	PropertiesInEffect read(Instant time) {
		Environment environment = this.environment.get();
		new PropertyNames(environment).requireKnown(CurrentProperties.class.getClassLoader());
		RateLimitProperties read = this.sourced
			.addTo(Binder.get(environment).bindOrCreate(RateLimitProperties.PREFIX, RateLimitProperties.class));
		return new PropertiesInEffect(read, PropertyGroups.read(environment), SchedulesInEffect.of(read, time),
				this.sourced.digest(environment));
	}

	/** Asks the policy source. */
	void ask() {
		this.sourced.ask();
	}

	/** Returns the reason for which the policy source failed, or null. */
	@Nullable String problem() {
		return this.sourced.problem();
	}

}
