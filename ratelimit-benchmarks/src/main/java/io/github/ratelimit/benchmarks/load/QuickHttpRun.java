package io.github.ratelimit.benchmarks.load;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import io.github.ratelimit.benchmarks.report.Report;

/**
 * Requests that limits in memory admit or deny beside a filter by hand, and those to
 * other paths beside an application without limits, to run after a change. It takes about
 * seventeen minutes, most of them for the compiler, which is done after a million
 * requests. It fails if one has fallen by more than a twentieth since the recorded run.
 * Ratios are those of processor time, which other work on the machine disturbs less than
 * speed.
 */
final class QuickHttpRun {

	private static final int ROUNDS = 15;

	private static final Duration TIME = Duration.ofMillis(800);

	private static final Duration FIRST = Duration.ofSeconds(40);

	private static final List<HttpApplication> APPLICATIONS = List.of(HttpApplication.OPEN,
			HttpApplication.MEMORY_BY_HAND, HttpApplication.UNCONCERNED, HttpApplication.MEMORY, HttpApplication.RULE);

	private static final List<Scenario> SCENARIOS = List.of(Scenario.SPREAD, Scenario.HOT_DENIED);

	private final Settings settings;

	private final Report report;

	private final RecordedRun recorded = new RecordedRun("quick-http.properties", "processor time without × with");

	QuickHttpRun(Settings settings, Report report) {
		this.settings = settings.repeating(ROUNDS).taking(TIME);
		this.report = report;
	}

	void run() {
		for (HttpServer server : List.of(HttpServer.TOMCAT, HttpServer.NETTY)) {
			Results results = measure(server);
			compare(server, HttpApplication.UNCONCERNED, HttpApplication.OPEN, Scenario.SPREAD, results);
			for (Scenario scenario : SCENARIOS) {
				compare(server, HttpApplication.MEMORY, HttpApplication.MEMORY_BY_HAND, scenario, results);
				compare(server, HttpApplication.RULE, HttpApplication.MEMORY_BY_HAND, scenario, results);
			}
		}
		this.report.part("quick-http", this.recorded.table());
		this.recorded.requireNoneFallen();
	}

	private Results measure(HttpServer server) {
		try (HttpProcesses processes = new HttpProcesses(this.settings, FIRST, server, APPLICATIONS, 0)) {
			return processes.measure(SCENARIOS, this.report);
		}
	}

	private void compare(HttpServer server, HttpApplication one, HttpApplication other, Scenario scenario,
			Results results) {
		String name = server + "." + one + (scenario.allows() ? "" : ".denied");
		this.recorded.compare(name.toLowerCase(Locale.ROOT),
				results.ratios(cell(other, scenario), cell(one, scenario), Figures::serverMicros));
	}

	private static Cell cell(HttpApplication application, Scenario scenario) {
		return new Cell(application.title(), scenario, HttpProcesses.LOAD);
	}

}
