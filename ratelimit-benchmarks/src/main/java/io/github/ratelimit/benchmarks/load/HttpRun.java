package io.github.ratelimit.benchmarks.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.redis.RedisProcess;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application on Tomcat without a limit, with this starter, and with a filter by hand,
 * all in this JVM.
 */
final class HttpRun {

	private static final String OPEN = "no limit";

	private static final String MEMORY = "@RateLimited, memory";

	private static final String REDIS = "@RateLimited, Redis";

	private static final String BY_HAND = "filter by hand, raw Lettuce";

	private static final Load LOAD = new Load(32, true);

	/** Seconds; longer than elsewhere because an application has more code to compile. */
	private static final int WARM_UP = 30;

	private final Settings settings;

	private final Report report;

	private final List<ConfigurableApplicationContext> applications = new ArrayList<>();

	HttpRun(Settings settings, Report report) {
		this.settings = settings;
		this.report = report;
	}

	void run() {
		try (RedisProcess redis = RedisProcess.start()) {
			Measurement measurement = new Measurement(List.of(redis), this.settings.warmUp().multipliedBy(WARM_UP),
					this.settings.time().multipliedBy(2));
			List<Turn> turns = contenders(redis.port()).stream()
				.map((contender) -> new Turn(measurement, contender))
				.toList();
			Results results = new Rounds(this.settings, this.report).run(turns, List.of(Scenario.SPREAD),
					List.of(LOAD));
			report(results);
			this.applications.forEach(ConfigurableApplicationContext::close);
		}
	}

	private List<Contender> contenders(int redis) {
		Map<String, String> withRedis = Map.of("spring.data.redis.port", Integer.toString(redis), "ratelimit.store",
				"redis");
		return List.of(calls(OPEN, "/open", "open", Map.of("ratelimit.enabled", "false")),
				calls(MEMORY, "/limited", "limited", Map.of("ratelimit.store", "memory")),
				calls(REDIS, "/limited", "limited", withRedis), calls(BY_HAND, "/open", "by-hand",
						Map.of("ratelimit.enabled", "false", "spring.data.redis.port", Integer.toString(redis))));
	}

	private Contender calls(String name, String path, String profile, Map<String, String> properties) {
		ConfigurableApplicationContext application = WebApplication.start(profile, properties);
		this.applications.add(application);
		return new HttpCalls(name, path, WebApplication.port(application));
	}

	private void report(Results results) {
		Table table = new Table(List.of("", "requests a second", "p50", "p99", "bytes allocated", "× " + OPEN));
		BarChart chart = new BarChart("Requests a second: " + LOAD.calls() + " connections", List.of("requests"));
		for (String name : results.contenders()) {
			Cell cell = new Cell(name, Scenario.SPREAD, LOAD);
			table.row(List.of(name, Numbers.brief(results.median(cell, Figures::perSecond)),
					Numbers.micros(results.median(cell, Figures::p50)),
					Numbers.micros(results.median(cell, Figures::p99)),
					Numbers.brief(results.median(cell, Figures::allocated)),
					Numbers.brief(ratio(results, name, OPEN))));
			chart.add(name, List.of(results.median(cell, Figures::perSecond)));
		}
		this.report.part("http", table.toString());
		this.report.part("http-bars", Bar
			.table(List.of(
					Bar.atLeast(0.95, "requests a second, memory: × filter by hand", ratio(results, MEMORY, BY_HAND)),
					Bar.atLeast(0.95, "requests a second, Redis: × filter by hand", ratio(results, REDIS, BY_HAND))))
			.toString());
		this.report.picture("http", chart);
	}

	private static double ratio(Results results, String name, String other) {
		return results.median(new Cell(name, Scenario.SPREAD, LOAD), Figures::perSecond)
				/ results.median(new Cell(other, Scenario.SPREAD, LOAD), Figures::perSecond);
	}

}
