package io.github.ratelimit.autoconfigure.reload;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.reload.ConfiguredPolicies.Difference;
import io.github.ratelimit.autoconfigure.reload.ReloadReport.Applied;
import org.jspecify.annotations.Nullable;

/**
 * A reload of the properties. It checks a configuration as a whole and then puts it into
 * effect, or refuses it and leaves everything as it is. Thread-safe.
 */
final class ConfigurationReload {

	/** A reading that differs from all others. */
	private static final Reading NONE = new Reading(null, null);

	private final CurrentProperties properties;

	private final ConfiguredPolicies policies;

	private final List<Reloadable> parts;

	private final ReloadReport report;

	private final PropertiesInEffect started;

	private PropertiesInEffect current;

	/** The schedules that something does not fit, if they were to take effect. */
	private @Nullable PropertiesInEffect unfit;

	private Reading handled;

	private Reading latest;

	/**
	 * Creates a reload.
	 * @param properties reads the configuration
	 * @param started the configuration at the start
	 * @param policies the policies that properties define
	 * @param parts the parts that change with the policies
	 * @param report receives the outcome
	 */
	ConfigurationReload(CurrentProperties properties, PropertiesInEffect started, ConfiguredPolicies policies,
			List<Reloadable> parts, ReloadReport report) {
		this.properties = properties;
		this.started = started;
		this.policies = policies;
		this.parts = parts;
		this.report = report;
		this.current = started;
		this.handled = new Reading(started, null);
		this.latest = this.handled;
		if (properties.problem() != null) {
			report.failed(properties.problem());
		}
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

	/**
	 * Asks the policy source, and puts what it returns into effect if it has changed. If
	 * the source fails, what it returned before stays in effect. Nothing waits for the
	 * source meanwhile.
	 */
	void poll() {
		String before = this.properties.problem();
		this.properties.ask();
		handleReply(before, this.properties.problem());
	}

	private synchronized void handleReply(@Nullable String before, @Nullable String problem) {
		if (problem == null) {
			this.handled = (before != null) ? NONE : this.handled;
			reloadOnceStable();
		}
		else if (!problem.equals(before)) {
			this.report.failed(problem);
		}
	}

	private void reloadOnceStable() {
		if (this.properties.areFromFiles()) {
			reloadIfStable();
		}
		else {
			reload();
		}
	}

	/**
	 * Puts the schedules of a time into effect if others were in effect before, or
	 * reports once that something does not fit them.
	 */
	synchronized void follow(Instant time) {
		PropertiesInEffect now = this.current.at(time);
		PropertiesInEffect refused = this.unfit;
		PropertiesInEffect before = (refused != null) ? refused : this.current;
		if (now.equals(before)) {
			return;
		}
		if (before.equals(this.handled.configuration())) {
			this.handled = new Reading(now, null);
		}
		try {
			Applied applied = apply(now);
			if (refused == null) {
				this.report.switched(applied);
			}
			else {
				this.report.applied(applied, this.properties.problem());
			}
		}
		catch (RuntimeException | Error ex) {
			this.unfit = now;
			this.report.refused(Problem.of(ex));
		}
	}

	private Reading read() {
		try {
			return new Reading(this.properties.read(Instant.now()), null);
		}
		catch (RuntimeException | Error ex) {
			return new Reading(null, Problem.of(ex));
		}
	}

	private void handle(Reading reading) {
		if (reading.equals(this.handled)) {
			return;
		}
		this.handled = reading;
		if (reading.configuration() == null) {
			this.report.refused(Objects.requireNonNull(reading.problem()));
			return;
		}
		try {
			this.report.applied(apply(reading.configuration()), this.properties.problem());
		}
		catch (RuntimeException | Error ex) {
			this.report.refused(Problem.of(ex));
		}
	}

	private Applied apply(PropertiesInEffect configuration) {
		Difference difference = this.policies.difference(this.current, configuration);
		List<Runnable> prepared = this.parts.stream()
			.map((part) -> part.prepare(configuration, difference.all()))
			.toList();
		List<String> needRestart = needRestart(configuration, difference);
		this.policies.configure(difference);
		prepared.forEach(Runnable::run);
		PropertiesInEffect before = this.current;
		this.current = configuration;
		this.unfit = null;
		return new Applied(before, configuration, difference, needRestart, this.properties.environment());
	}

	private List<String> needRestart(PropertiesInEffect configuration, Difference difference) {
		Set<String> reloaded = this.parts.stream()
			.flatMap((part) -> Stream.ofNullable(part.section()))
			.collect(Collectors.toSet());
		return Stream.concat(FixedProperties.changed(this.started, configuration, reloaded), difference.removed())
			.sorted()
			.toList();
	}

	/** A configuration, or the reason for which it cannot be read. */
	private record Reading(@Nullable PropertiesInEffect configuration, @Nullable String problem) {

	}

}
