package io.github.ratelimit.autoconfigure.redis;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitHealthAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMetricsAutoConfiguration;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.actuate.RateLimitHealthIndicator;
import io.github.ratelimit.spring.metrics.Scrapes;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An outage of three seconds of an instance that started a minute before and serves eight
 * calls a second, of which Prometheus gets a sample every 15 seconds. Only the outage
 * takes its time: the calls between two samples follow one another at once.
 */
final class OutageTrial {

	private static final int CALLS_OF_OUTAGE = 24;

	private static final Duration PAUSE = Duration.ofMillis(125);

	private static final int CALLS_OF_SAMPLE = 120;

	private static final int SAMPLES_AFTER = 12;

	private final Outage outage;

	private final RedisProcess redis;

	private final Scrapes scrapes;

	private OutageTrial(Outage outage, RedisProcess redis, Set<String> series) {
		this.outage = outage;
		this.redis = redis;
		this.scrapes = new Scrapes(series);
	}

	/** Runs an outage, and returns what an operator sees of it. */
	static Seen run(Outage outage, Set<String> series, CapturedOutput output) {
		Seen[] seen = new Seen[1];
		int before = output.getOut().length();
		try (RedisProcess redis = outage.start()) {
			OutageTrial trial = new OutageTrial(outage, redis, series);
			RedisApplication.application("lettuce", "port=" + redis.port())
				.withConfiguration(AutoConfigurations.of(RateLimitMetricsAutoConfiguration.class,
						RateLimitHealthAutoConfiguration.class))
				.withBean(PrometheusMeterRegistry.class, () -> new PrometheusMeterRegistry(PrometheusConfig.DEFAULT))
				.withPropertyValues("ratelimit.redis.timeout=" + outage.timeout(), "ratelimit.on-store-failure=allow",
						"ratelimit.policies.quotes.limits=1000/1s")
				.run((context) -> seen[0] = trial.run(context, () -> output.getOut().substring(before)));
		}
		return seen[0];
	}

	private Seen run(ApplicationContext context, Supplier<String> log) {
		RateLimiter limiter = context.getBean(RateLimiter.class);
		awaitDecision(limiter);
		scrape(context);
		scrapeAfterCalls(context, 3);
		this.outage.begin(this.redis);
		callDuringOutage(limiter);
		Map<String, Object> during = health(context);
		this.outage.end(this.redis);
		awaitDecision(limiter);
		scrape(context);
		Map<String, Object> after = health(context);
		scrapeAfterCalls(context, SAMPLES_AFTER);
		return new Seen(log.get(), during, after, this.scrapes);
	}

	private void callDuringOutage(RateLimiter limiter) {
		long begin = System.nanoTime();
		for (int call = 0; call < CALLS_OF_OUTAGE; call++) {
			LockSupport.parkNanos(begin + call * PAUSE.toNanos() - System.nanoTime());
			this.outage.goOn(this.redis);
			assertThat(limiter.acquire(call()).allowed()).isTrue();
		}
	}

	private void scrapeAfterCalls(ApplicationContext context, int samples) {
		for (int sample = 0; sample < samples; sample++) {
			for (int call = 0; call < CALLS_OF_SAMPLE; call++) {
				context.getBean(RateLimiter.class).acquire(call());
			}
			scrape(context);
		}
	}

	private void scrape(ApplicationContext context) {
		this.scrapes.add(context.getBean(PrometheusMeterRegistry.class).scrape());
	}

	private static Map<String, Object> health(ApplicationContext context) {
		return context.getBean(RateLimitHealthIndicator.class).health().getDetails();
	}

	private static void awaitDecision(RateLimiter limiter) {
		await().until(() -> !limiter.acquire(call()).limits().isEmpty());
	}

	private static Charge call() {
		return Charge.of("quotes", "alice");
	}

	/**
	 * The traces of an outage that an operator sees.
	 *
	 * @param log the lines of the log
	 * @param during the details of health at the end of the outage
	 * @param after the details of health when calls are decided again
	 * @param scrapes the samples of the meters
	 */
	record Seen(String log, Map<String, Object> during, Map<String, Object> after, Scrapes scrapes) {

	}

}
