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
 */
final class CurrentProperties {

	private final Supplier<Environment> environment;

	private final SourcedProperties sourced;

	private final boolean fromFiles;

	private CurrentProperties(Supplier<Environment> environment, SourcedProperties sourced, boolean fromFiles) {
		this.environment = environment;
		this.sourced = sourced;
		this.fromFiles = fromFiles;
	}

	/** Returns the properties of an environment, which something else may change. */
	static CurrentProperties of(Environment environment, SourcedProperties sourced) {
		return new CurrentProperties(() -> environment, sourced, false);
	}

	/** Returns the properties of files, which are read each time. */
	static CurrentProperties of(ConfigurationFiles files, SourcedProperties sourced) {
		return new CurrentProperties(files::read, sourced, true);
	}

	/** Returns whether files are read, which may be written at the same time. */
	boolean areFromFiles() {
		return this.fromFiles;
	}

	/** Reads the properties, with the schedules of a time. */
	PropertiesInEffect read(Instant time) {
		Environment environment = this.environment.get();
		new PropertyNames(environment).requireKnown(CurrentProperties.class.getClassLoader());
		RateLimitProperties read = this.sourced
			.addTo(Binder.get(environment).bindOrCreate(RateLimitProperties.PREFIX, RateLimitProperties.class));
		return new PropertiesInEffect(read, PropertyGroups.read(environment), SchedulesInEffect.of(read, time));
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
