package io.github.ratelimit.autoconfigure.store;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitMetricsAutoConfiguration;
import io.github.ratelimit.redis.RedisProcess;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The meters of an instance that serves eight calls a second while Redis fails for three
 * seconds, from which the alert rules must see the outage.
 */
@Tag("long")
class OutageMetersIT {

	private static final int CALLS = 24;

	private static final Duration PAUSE = Duration.ofMillis(125);

	/** The count from which the alerts fire. */
	private static final double ALERTING = 5;

	@ParameterizedTest
	@EnumSource
	void showAnOutageOfThreeSecondsAndItsKind(Outage outage) {
		try (RedisProcess redis = RedisProcess.start()) {
			RedisApplication.application("lettuce", "port=" + redis.port())
				.withConfiguration(AutoConfigurations.of(RateLimitMetricsAutoConfiguration.class))
				.withBean(SimpleMeterRegistry.class)
				.withPropertyValues("ratelimit.redis.timeout=100ms", "ratelimit.on-store-failure=allow",
						"ratelimit.policies.quotes.limits=1000/1s")
				.run((context) -> {
					await().until(() -> !RedisApplication.limiter(context).acquire(call()).limits().isEmpty());
					double before = failedOpen(context);
					double ofKind = failures(context, outage.kind);
					outage.begin.accept(redis);
					callDuring(outage, redis, RedisApplication.limiter(context));
					assertThat(failedOpen(context) - before).isGreaterThanOrEqualTo(ALERTING);
					assertThat(failures(context, outage.kind) - ofKind).isGreaterThanOrEqualTo(ALERTING);
					redis.kill();
				});
		}
	}

	private static void callDuring(Outage outage, RedisProcess redis, RateLimiter limiter) {
		long begin = System.nanoTime();
		for (int call = 0; call < CALLS; call++) {
			LockSupport.parkNanos(begin + call * PAUSE.toNanos() - System.nanoTime());
			outage.goOn.accept(redis);
			assertThat(limiter.acquire(call()).allowed()).isTrue();
		}
	}

	private static Charge call() {
		return Charge.of("quotes", "alice");
	}

	private static double failedOpen(AssertableApplicationContext context) {
		return context.getBean(MeterRegistry.class)
			.get("ratelimit.requests")
			.tags("policy", "quotes", "outcome", "failed_open")
			.counter()
			.count();
	}

	private static double failures(AssertableApplicationContext context, String kind) {
		return context.getBean(MeterRegistry.class)
			.get("ratelimit.store.failures")
			.tags("store", "redis", "kind", kind)
			.counter()
			.count();
	}

	enum Outage {

		HANGS("timeout", RedisProcess::pause),

		REFUSES("connection", RedisProcess::kill),

		IS_FULL("oom", (redis) -> redis.commands().configSet("maxmemory", "1")),

		TAKES_NO_WRITES("readonly", (redis) -> redis.commands().replicaof("127.0.0.1", 1)),

		WITHDRAWS_RIGHTS("auth", (redis) -> redis.send("ACL SETUSER default -eval -evalsha")),

		IS_SLOW("timeout", (redis) -> {
		}, (redis) -> redis.send("CLIENT PAUSE " + TimeUnit.SECONDS.toMillis(1) / 4));

		private final String kind;

		private final Consumer<RedisProcess> begin;

		private final Consumer<RedisProcess> goOn;

		Outage(String kind, Consumer<RedisProcess> begin) {
			this(kind, begin, (redis) -> {
			});
		}

		Outage(String kind, Consumer<RedisProcess> begin, Consumer<RedisProcess> goOn) {
			this.kind = kind;
			this.begin = begin;
			this.goOn = goOn;
		}

	}

}
