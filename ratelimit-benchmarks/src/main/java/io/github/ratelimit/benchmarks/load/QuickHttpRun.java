package io.github.ratelimit.benchmarks.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Report;
import io.github.ratelimit.benchmarks.report.Table;

/**
 * Requests that limits in memory admit, in ratios to an application without a limit, to
 * run after a change. It takes about eight minutes, most of them for the compiler, which
 * is done after a million requests. It fails if one has fallen by more than a twentieth
 * since the recorded run. Ratios are those of processor time, which other work on the
 * machine disturbs less than speed.
 */
final class QuickHttpRun {

	private static final String RECORDED = "quick-http.properties";

	private static final double TOLERATED = 0.95;

	private static final int ROUNDS = 5;

	private static final Duration TIME = Duration.ofMillis(800);

	private static final Duration FIRST = Duration.ofSeconds(40);

	private static final List<HttpApplication> LIMITED = List.of(HttpApplication.UNCONCERNED, HttpApplication.MEMORY,
			HttpApplication.RULE);

	private final Settings settings;

	private final Report report;

	private final Properties recorded = recorded();

	private final List<String> fallen = new ArrayList<>();

	QuickHttpRun(Settings settings, Report report) {
		this.settings = settings.repeating(ROUNDS).taking(TIME);
		this.report = report;
	}

	void run() {
		Table table = new Table(List.of("no limit × processor time", "now", "recorded"));
		for (HttpServer server : List.of(HttpServer.TOMCAT, HttpServer.NETTY)) {
			Results results = measure(server);
			LIMITED.forEach((application) -> table.row(row(server, application, results)));
		}
		this.report.part("quick-http", table.toString());
		if (!this.fallen.isEmpty()) {
			throw new IllegalStateException("slower than recorded: " + this.fallen);
		}
	}

	private Results measure(HttpServer server) {
		List<HttpApplication> all = new ArrayList<>(LIMITED);
		all.add(0, HttpApplication.OPEN);
		try (HttpProcesses processes = new HttpProcesses(this.settings, FIRST, server, all, 0)) {
			return processes.measure(List.of(Scenario.SPREAD), this.report);
		}
	}

	private List<String> row(HttpServer server, HttpApplication application, Results results) {
		double now = results.ratio(cell(HttpApplication.OPEN), cell(application), Figures::serverMicros);
		String name = (server + "." + application).toLowerCase(Locale.ROOT);
		double before = Double.parseDouble(this.recorded.getProperty(name));
		if (now < TOLERATED * before) {
			this.fallen.add(name);
		}
		return List.of(name, Numbers.brief(now), Numbers.brief(before));
	}

	private static Cell cell(HttpApplication application) {
		return new Cell(application.title(), Scenario.SPREAD, HttpProcesses.LOAD);
	}

	private static Properties recorded() {
		Properties recorded = new Properties();
		try (InputStream file = QuickHttpRun.class.getResourceAsStream(RECORDED)) {
			recorded.load(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return recorded;
	}

}
