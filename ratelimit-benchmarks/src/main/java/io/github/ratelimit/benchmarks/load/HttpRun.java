package io.github.ratelimit.benchmarks.load;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import io.github.ratelimit.benchmarks.report.BarChart;
import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Report;
import io.github.ratelimit.benchmarks.report.Table;
import io.github.ratelimit.redis.RedisProcess;

/**
 * Applications on Tomcat and Netty without a limit, with this starter, and with a filter
 * by hand, each in a process of its own, when they admit and when they deny.
 */
final class HttpRun {

	private static final String OPEN = "no limit";

	private static final String MEMORY = "@RateLimited, memory";

	private static final String REDIS = "@RateLimited, Redis";

	private static final String MEMORY_BY_HAND = "filter by hand, memory";

	private static final String REDIS_BY_HAND = "filter by hand, raw Lettuce";

	private static final List<Scenario> SCENARIOS = List.of(Scenario.SPREAD, Scenario.HOT_DENIED);

	private static final Load LOAD = new Load(32, true);

	/**
	 * How much longer an application is called at first, as it has more code to compile.
	 */
	private static final int WARM_UP = 25;

	private final Settings settings;

	private final Report report;

	private final List<ApplicationProcess> applications = new ArrayList<>();

	HttpRun(Settings settings, Report report) {
		this.settings = settings;
		this.report = report;
	}

	void run() {
		try (RedisProcess redis = RedisProcess.start()) {
			Map<Server, Results> results = new LinkedHashMap<>();
			for (Server server : Server.values()) {
				List<Turn> turns = contenders(server, redis.port());
				turns.forEach(this::warmUp);
				results.put(server, new Rounds(this.settings, this.report).run(turns, SCENARIOS, List.of(LOAD)));
				this.applications.forEach(ApplicationProcess::close);
			}
			report(results);
		}
	}

	private void warmUp(Turn turn) {
		Measurement first = new Measurement(turn.measurement().servers(), this.settings.warmUp().multipliedBy(WARM_UP),
				this.settings.time());
		SCENARIOS.stream()
			.filter((scenario) -> turn.canDo(scenario, LOAD))
			.forEach((scenario) -> first.of(turn.contender(), scenario, LOAD));
	}

	private List<Turn> contenders(Server server, int redis) {
		String port = "spring.data.redis.port=" + redis;
		List<String> byHand = List.of("ratelimit.enabled=false", port);
		return Stream
			.of(turn(OPEN, server, byHand), turn(MEMORY, server, List.of("ratelimit.store=memory")),
					turn(REDIS, server, List.of("ratelimit.store=redis", port)),
					turn(MEMORY_BY_HAND, server, byHand, WebApplication.BY_HAND + "=memory"),
					turn(REDIS_BY_HAND, server, byHand, WebApplication.BY_HAND + "=redis"))
			.filter((turn) -> this.settings.measures(turn.name()))
			.toList();
	}

	private Turn turn(String name, Server server, List<String> properties, String... more) {
		List<String> arguments = Stream.of(Stream.of(server.property), properties.stream(), Stream.of(more))
			.flatMap((some) -> some.map((property) -> "--" + property))
			.toList();
		ApplicationProcess application = ApplicationProcess.start(WebApplication.class, arguments);
		this.applications.add(application);
		Measurement measurement = new Measurement(List.of(application), this.settings.warmUp(),
				this.settings.time().multipliedBy(2));
		return new Turn(measurement, new HttpCalls(name, application.port(),
				(scenario) -> (scenario.allows() || !name.equals(OPEN)) ? "/" + scenario.slug() : null));
	}

	private void report(Map<Server, Results> results) {
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

	private static List<String> row(Server server, Results results, String name) {
		List<String> row = new ArrayList<>(List.of(server.title + ": " + name));
		for (Scenario scenario : SCENARIOS) {
			Cell cell = new Cell(name, scenario, LOAD);
			row.add(Numbers.brief(results.median(cell, Figures::perSecond)) + results.mark(cell));
			row.add(Numbers.micros(results.median(cell, Figures::p50)) + " / "
					+ Numbers.micros(results.median(cell, Figures::p99)));
			row.add(Numbers.micros(results.median(cell, Figures::serverMicros)));
		}
		return row;
	}

	private static BarChart chart(Scenario scenario, Map<Server, Results> results) {
		BarChart chart = new BarChart("Requests a second: " + scenario.title(),
				results.keySet().stream().map((server) -> server.title).toList());
		for (String name : List.of(OPEN, MEMORY, REDIS, MEMORY_BY_HAND, REDIS_BY_HAND)) {
			chart.add(name,
					results.values()
						.stream()
						.map((measured) -> measured.median(new Cell(name, scenario, LOAD), Figures::perSecond))
						.toList());
		}
		return chart;
	}

	private static List<Bar> bars(Server server, Results results) {
		ToDoubleFunction<Figures> speed = Figures::perSecond;
		return List.of(
				Bar.atLeast(0.93, server.title + ", admitted, memory: × no limit",
						ratio(results, Scenario.SPREAD, speed, MEMORY, OPEN)),
				Bar.atLeast(1, server.title + ", admitted, Redis: × filter by hand",
						ratio(results, Scenario.SPREAD, speed, REDIS, REDIS_BY_HAND)),
				Bar.atLeast(1, server.title + ", denied, memory: × filter by hand",
						ratio(results, Scenario.HOT_DENIED, speed, MEMORY, MEMORY_BY_HAND)),
				Bar.atLeast(1, server.title + ", denied, Redis: × filter by hand",
						ratio(results, Scenario.HOT_DENIED, speed, REDIS, REDIS_BY_HAND)),
				Bar.atMost(0.8, server.title + ", memory, processor time of a denial: × a request",
						costOfDenial(results, MEMORY)),
				Bar.atMost(0.8, server.title + ", Redis, processor time of a denial: × a request",
						costOfDenial(results, REDIS)));
	}

	private static double ratio(Results results, Scenario scenario, ToDoubleFunction<Figures> figure, String name,
			String other) {
		return results.ratio(new Cell(name, scenario, LOAD), new Cell(other, scenario, LOAD), figure);
	}

	private static double costOfDenial(Results results, String name) {
		return results.ratio(new Cell(name, Scenario.HOT_DENIED, LOAD), new Cell(name, Scenario.SPREAD, LOAD),
				Figures::serverMicros);
	}

	/** A server, and the property that chooses it. */
	private enum Server {

		TOMCAT("Tomcat", "spring.main.web-application-type=servlet"),

		NETTY("Netty", "spring.main.web-application-type=reactive");

		private final String title;

		private final String property;

		Server(String title, String property) {
			this.title = title;
			this.property = property;
		}

	}

}
