package io.github.ratelimit.benchmarks.load;

import io.github.ratelimit.benchmarks.report.Report;

/**
 * Measures decisions under load, side by side with other limiters, on servers that it
 * starts: on one Redis, over HTTP, in a gateway, and on clusters of one to three masters.
 * It prints medians of several repetitions and the bars they are held to. Alone, it runs
 * {@link QuickRun}, {@link QuickHttpRun}, {@link CapacityRun} or {@link PostgresqlRun}:
 *
 * <pre>
 * mvn -Pbenchmarks -pl ratelimit-benchmarks -am -DskipTests package exec:java \
 *     -Dexec.mainClass=io.github.ratelimit.benchmarks.load.LoadRun -Dresults=ratelimit-benchmarks/results
 * </pre>
 *
 * <p>
 * What {@link Settings} says can be set by further system properties: {@code parts},
 * {@code contenders}, {@code repetitions}, {@code warm-up} and {@code time} in
 * milliseconds, and {@code results}, the folder of the page with the results.
 */
public final class LoadRun {

	private LoadRun() {
	}

	/**
	 * Measures and prints.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		Settings settings = Settings.ofSystem();
		Machine before = Machine.now();
		if (settings.parts().contains("quick")) {
			runQuickly(settings, new Report(null), before);
		}
		else if (settings.parts().contains("quick-http")) {
			new QuickHttpRun(settings, new Report(null)).run();
		}
		else if (settings.parts().contains("capacity")) {
			new CapacityRun(settings, new Report(settings.results())).run();
		}
		else if (settings.parts().contains("postgresql")) {
			new PostgresqlRun(settings, new Report(settings.results())).run();
		}
		else {
			Report report = new Report(settings.results());
			run(settings, report);
			reportMachine(settings, report, settings.toMarkdown() + before.disturbances());
		}
	}

	/** Tells what disturbed the run also if it fails. */
	private static void runQuickly(Settings settings, Report report, Machine before) {
		try {
			new QuickRun(settings, report).run();
		}
		finally {
			report.progress(before.disturbances());
		}
	}

	/** Leaves the pages' line to the runs that measure most of their tables. */
	private static void reportMachine(Settings settings, Report report, String machine) {
		if (settings.parts().contains("redis")) {
			report.part("machine", machine);
		}
		else {
			report.progress("\n" + machine);
		}
	}

	private static void run(Settings settings, Report report) {
		if (settings.parts().contains("redis")) {
			new RedisRun(settings, report).run();
		}
		if (settings.parts().contains("http")) {
			new HttpRun(settings, report).run();
		}
		if (settings.parts().contains("gateway")) {
			new GatewayRun(settings, report).run();
		}
		if (settings.parts().contains("cluster")) {
			new ClusterRun(settings, report).run();
		}
	}

}
