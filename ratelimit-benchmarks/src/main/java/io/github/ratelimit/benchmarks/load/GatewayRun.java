package io.github.ratelimit.benchmarks.load;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Report;
import io.github.ratelimit.benchmarks.report.Table;
import io.github.ratelimit.redis.RedisProcess;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A Spring Cloud Gateway in front of an upstream, with its own limiter and with this one,
 * on one Redis. The gateway, the upstream and the callers share this JVM.
 */
final class GatewayRun {

	private static final String OPEN = "no limit";

	private static final String OWN = "RequestRateLimiter, RedisRateLimiter";

	private static final String FILTER = "RateLimit";

	private static final String DROP_IN = "RequestRateLimiter, a policy";

	private static final Load LOAD = new Load(32, true);

	/** Seconds; longer than elsewhere because a gateway has more code to compile. */
	private static final int WARM_UP = 20;

	private final Settings settings;

	private final Report report;

	GatewayRun(Settings settings, Report report) {
		this.settings = settings;
		this.report = report;
	}

	void run() {
		DisposableServer upstream = HttpServer.create()
			.host("127.0.0.1")
			.port(0)
			.handle((request, response) -> response.header("Content-Length", "2").sendString(Mono.just("ok")))
			.bindNow();
		try (RedisProcess redis = RedisProcess.start();
				ConfigurableApplicationContext gateway = GatewayApplication.start(redis.port(), upstream.port())) {
			Measurement measurement = new Measurement(MeasuredServer.of(List.of(redis)),
					this.settings.warmUp().multipliedBy(WARM_UP), this.settings.time().multipliedBy(2));
			int port = WebApplication.port(gateway);
			List<Turn> turns = contenders(port).map((contender) -> new Turn(measurement, contender)).toList();
			report(new Rounds(this.settings, this.report).run(turns, List.of(Scenario.SPREAD), List.of(LOAD)));
		}
		finally {
			upstream.disposeNow();
		}
	}

	private static Stream<Contender> contenders(int port) {
		return Stream.of(new HttpCalls(OPEN, port, (scenario) -> "/open"),
				new HttpCalls(OWN, port, (scenario) -> "/own"), new HttpCalls(FILTER, port, (scenario) -> "/filter"),
				new HttpCalls(DROP_IN, port, (scenario) -> "/drop-in"));
	}

	private void report(Results results) {
		Table table = new Table(List.of("", "requests a second", "p50", "p99", "bytes allocated"));
		for (String name : results.contenders()) {
			Cell cell = new Cell(name, Scenario.SPREAD, LOAD);
			table.row(List.of(name, Numbers.brief(results.median(cell, Figures::perSecond)) + results.mark(cell),
					Numbers.micros(results.median(cell, Figures::p50)),
					Numbers.micros(results.median(cell, Figures::p99)),
					Numbers.brief(results.median(cell, Figures::allocated))));
		}
		this.report.part("gateway", table.toString());
		List<Bar> bars = Stream.of(FILTER, DROP_IN)
			.map((ours) -> Bar.atLeast(1, "requests a second, " + ours + ": × " + OWN, ratio(results, ours, OWN)))
			.toList();
		this.report.part("gateway-bars", Bar.table(bars).toString());
	}

	private static double ratio(Results results, String name, String other) {
		return results.ratio(new Cell(name, Scenario.SPREAD, LOAD), new Cell(other, Scenario.SPREAD, LOAD),
				Figures::perSecond);
	}

}
