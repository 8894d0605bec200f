package io.github.ratelimit.benchmarks.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.github.ratelimit.benchmarks.report.Report;

/**
 * Requests that limits in memory admit beside a filter by hand, and those to other paths
 * beside an application without limits, to run after a change. It takes about nine
 * minutes, most of them for the compiler, which is done after a million requests. It
 * fails if one has fallen by more than a twentieth since the recorded run. Ratios are
 * those of processor time, which other work on the machine disturbs less than speed.
 */
final class QuickHttpRun {

	private static final int ROUNDS = 5;

	private static final Duration TIME = Duration.ofMillis(800);

	private static final Duration FIRST = Duration.ofSeconds(40);

	private static final List<HttpApplication> LIMITED = List.of(HttpApplication.UNCONCERNED, HttpApplication.MEMORY,
			HttpApplication.RULE);

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
			LIMITED.forEach((application) -> compare(server, application, results));
		}
		this.report.part("quick-http", this.recorded.table());
		this.recorded.requireNoneFallen();
	}

	private Results measure(HttpServer server) {
		List<HttpApplication> all = new ArrayList<>(LIMITED);
		all.addAll(0, List.of(HttpApplication.OPEN, HttpApplication.MEMORY_BY_HAND));
		try (HttpProcesses processes = new HttpProcesses(this.settings, FIRST, server, all, 0)) {
			return processes.measure(List.of(Scenario.SPREAD), this.report);
		}
	}

	private void compare(HttpServer server, HttpApplication application, Results results) {
		HttpApplication other = (application == HttpApplication.UNCONCERNED) ? HttpApplication.OPEN
				: HttpApplication.MEMORY_BY_HAND;
		this.recorded.compare((server + "." + application).toLowerCase(Locale.ROOT),
				results.ratios(cell(other), cell(application), Figures::serverMicros));
	}

	private static Cell cell(HttpApplication application) {
		return new Cell(application.title(), Scenario.SPREAD, HttpProcesses.LOAD);
	}

}
