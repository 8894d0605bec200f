package io.github.ratelimit.benchmarks.load;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Settings of a run, from system properties.
 *
 * @param parts {@code redis}, {@code http}, {@code gateway} and {@code cluster}, or some
 * of them, or {@code quick}, {@code quick-http}, {@code capacity} or {@code postgresql}
 * @param contenders whose names to measure on one Redis
 * @param scenarios the titles of the scenarios to measure
 * @param loads the titles of the loads to measure
 * @param repetitions how often to measure each
 * @param warmUp for how long its calls are not measured
 * @param time for how long they are
 * @param results the folder whose pages are to show what was measured, if any
 */
record Settings(Set<String> parts, Pattern contenders, Pattern scenarios, Pattern loads, int repetitions,
		Duration warmUp, Duration time, @Nullable Path results) {

	static Settings ofSystem() {
		String results = System.getProperty("results");
		return new Settings(Set.of(System.getProperty("parts", "redis,http,gateway,cluster").split(",")),
				pattern("contenders"), pattern("scenarios"), pattern("loads"), Integer.getInteger("repetitions", 3),
				Duration.ofMillis(Integer.getInteger("warm-up", 750)),
				Duration.ofMillis(Integer.getInteger("time", 1500)), (results != null) ? Path.of(results) : null);
	}

	/** Returns a sentence that tells the machine and the time of a measurement. */
	String toMarkdown() {
		return "%d processors, shared by Redis and its callers; Java %s on %s %s; medians of %d repetitions of %.2g s each%n"
			.formatted(Runtime.getRuntime().availableProcessors(), System.getProperty("java.version"),
					System.getProperty("os.name"), System.getProperty("os.arch"), this.repetitions,
					this.time.toMillis() / 1e3);
	}

	/** Returns these settings with another number of repetitions. */
	Settings repeating(int repetitions) {
		return new Settings(this.parts, this.contenders, this.scenarios, this.loads, repetitions, this.warmUp,
				this.time, this.results);
	}

	/** Returns these settings with another time that is measured. */
	Settings taking(Duration time) {
		return new Settings(this.parts, this.contenders, this.scenarios, this.loads, this.repetitions, this.warmUp,
				time, this.results);
	}

	boolean measures(String contender) {
		return this.contenders.matcher(contender).matches();
	}

	boolean measures(Scenario scenario, Load load) {
		return this.scenarios.matcher(scenario.title()).matches() && this.loads.matcher(load.title()).matches();
	}

	private static Pattern pattern(String property) {
		return Pattern.compile(System.getProperty(property, ".*"));
	}

}
