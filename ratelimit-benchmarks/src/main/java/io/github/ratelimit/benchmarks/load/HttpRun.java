package io.github.ratelimit.benchmarks.load;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.benchmarks.report.BarChart;
import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Report;
import io.github.ratelimit.benchmarks.report.Table;
import io.github.ratelimit.redis.RedisProcess;

/**
 * Applications on Tomcat and Netty without a limit, with this starter, and with a filter
 * by hand, when they admit and when they deny.
 */
final class HttpRun {

	private static final List<Scenario> SCENARIOS = List.of(Scenario.SPREAD, Scenario.HOT_DENIED);

	/**
	 * How much longer an application is called at first, as it has more code to compile.
	 */
	private static final int WARM_UP = 25;

	private final Settings settings;

	private final Report report;

	HttpRun(Settings settings, Report report) {
		this.settings = settings;
		this.report = report;
	}

	void run() {
		try (RedisProcess redis = RedisProcess.start()) {
			Map<HttpServer, Results> results = new LinkedHashMap<>();
			for (HttpServer server : HttpServer.values()) {
				results.put(server, measure(server, redis.port()));
			}
			report(results);
		}
	}

	private Results measure(HttpServer server, int redis) {
		Settings settings = this.settings.taking(this.settings.time().multipliedBy(2));
		try (HttpProcesses processes = new HttpProcesses(settings, settings.warmUp().multipliedBy(WARM_UP), server,
				List.of(HttpApplication.values()), redis)) {
			return processes.measure(SCENARIOS, this.report);
		}
	}

	private void report(Map<HttpServer, Results> results) {
		Table table = new Table(List.of("", "admitted a second", "p50 / p99", "processor time of a request",
				"denied a second", "p50 / p99", "processor time of a denial"));
		List<Bar> bars = new ArrayList<>();
		results.forEach((server, measured) -> {
			measured.contenders().forEach((name) -> table.row(row(server, measured, name)));
			bars.addAll(bars(server, measured));
		});
		this.report.part("http", table.toString());
		this.report.part("http-bars", Bar.table(bars).toString());
		for (Scenario scenario : SCENARIOS) {
			this.report.picture("http-" + scenario.slug(), chart(scenario, results).svg());
		}
	}

	private static List<String> row(HttpServer server, Results results, String name) {
		List<String> row = new ArrayList<>(List.of(server.title() + ": " + name));
		for (Scenario scenario : SCENARIOS) {
			Cell cell = new Cell(name, scenario, HttpProcesses.LOAD);
			row.add(Numbers.brief(results.median(cell, Figures::perSecond)) + results.mark(cell));
			row.add(Numbers.micros(results.median(cell, Figures::p50)) + " / "
					+ Numbers.micros(results.median(cell, Figures::p99)));
			row.add(Numbers.micros(results.median(cell, Figures::serverMicros)));
		}
		return row;
	}

	private static BarChart chart(Scenario scenario, Map<HttpServer, Results> results) {
		BarChart chart = new BarChart("Requests a second: " + scenario.title(),
				results.keySet().stream().map((server) -> server.title()).toList());
		for (HttpApplication application : HttpApplication.values()) {
			chart.add(application.title(),
					results.values()
						.stream()
						.map((measured) -> measured.median(new Cell(application.title(), scenario, HttpProcesses.LOAD),
								Figures::perSecond))
						.toList());
		}
		return chart;
	}

	private static List<Bar> bars(HttpServer server, Results results) {
		return Stream.of(HttpBar.values()).map((bar) -> bar.of(server.title(), results, HttpProcesses.LOAD)).toList();
	}

}
