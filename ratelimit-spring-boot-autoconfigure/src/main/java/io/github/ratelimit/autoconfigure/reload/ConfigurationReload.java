package io.github.ratelimit.autoconfigure.reload;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.reload.ConfiguredPolicies.Difference;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.control.LastReload;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A reload of the properties. It checks a configuration as a whole and then puts it into
 * effect, or refuses it and leaves everything as it is. Thread-safe.
 */
final class ConfigurationReload {

	private static final Log logger = LogFactory.getLog(ConfigurationReload.class);

	private final Supplier<PropertiesInEffect> source;

	private final ConfiguredPolicies policies;

	private final List<Reloadable> parts;

	private final LastReload last;

	private final PropertiesInEffect started;

	private PropertiesInEffect current;

	private Reading handled;

	private Reading latest;

	/**
	 * Creates a reload.
	 * @param source reads the configuration
	 * @param started the configuration at the start
	 * @param policies the policies that properties define
	 * @param parts the parts that depend on the policies
	 * @param last receives the outcome
	 */
	ConfigurationReload(Supplier<PropertiesInEffect> source, PropertiesInEffect started, ConfiguredPolicies policies,
			List<Reloadable> parts, LastReload last) {
		this.source = source;
		this.started = started;
		this.policies = policies;
		this.parts = parts;
		this.last = last;
		this.current = started;
		this.handled = new Reading(started, null);
		this.latest = this.handled;
	}

	/** Reads the properties and puts them into effect if they have changed. */
	synchronized void reload() {
		this.latest = read();
		handle(this.latest);
	}

	/**
	 * Reads the properties and puts them into effect if they have changed but are the
	 * same as at the reading before, as files may be read while they are written.
	 */
	synchronized void reloadIfStable() {
		Reading before = this.latest;
		this.latest = read();
		if (this.latest.equals(before)) {
			handle(this.latest);
		}
	}

	/** Puts the schedules of a time into effect if others were in effect before. */
	synchronized void follow(Instant time) {
		PropertiesInEffect now = this.current.at(time);
		if (now.equals(this.current)) {
			return;
		}
		boolean isLatest = this.current.equals(this.handled.configuration());
		apply(now);
		if (isLatest) {
			this.handled = new Reading(now, null);
		}
	}

	private Reading read() {
		try {
			return new Reading(this.source.get(), null);
		}
		catch (RuntimeException ex) {
			return new Reading(null, Problem.of(ex));
		}
	}

	private void handle(Reading reading) {
		if (reading.equals(this.handled)) {
			return;
		}
		this.handled = reading;
		if (reading.configuration() == null) {
			refuse(Objects.requireNonNull(reading.problem()));
			return;
		}
		try {
			apply(reading.configuration());
		}
		catch (RuntimeException ex) {
			refuse(Problem.of(ex));
		}
	}

	private void apply(PropertiesInEffect configuration) {
		RateLimitProperties read = configuration.properties();
		Difference difference = this.policies.difference(this.current, configuration);
		List<Runnable> prepared = this.parts.stream().map((part) -> part.prepare(read, difference.all())).toList();
		List<String> needRestart = FixedProperties.changed(this.started, configuration);
		this.policies.configure(difference.changed());
		prepared.forEach(Runnable::run);
		this.current = configuration;
		this.last.set(null, needRestart);
		logger.info("Reloaded the configuration of rate limits; changed policies: "
				+ difference.changed().stream().map(Policy::name).toList());
		if (!needRestart.isEmpty()) {
			logger.warn("These properties have changed and take effect after a restart: " + needRestart);
		}
	}

	private void refuse(String problem) {
		this.last.set(problem, List.of());
		logger
			.warn("The configuration of rate limits was not reloaded, and the earlier one stays in effect: " + problem);
	}

	/** A configuration, or the reason for which it cannot be read. */
	private record Reading(@Nullable PropertiesInEffect configuration, @Nullable String problem) {

	}

}
