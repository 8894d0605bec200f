package io.github.ratelimit.autoconfigure.redis;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * The start of an application up to its first call.
 */
class PolicyPreloadIT {

	private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);

	@Test
	void hasRedisKnowTheScriptsOfAllPoliciesAndPlansBeforeItTakesCalls() {
		try (RedisProcess redis = RedisProcess.start()) {
			application(redis).withBean(Server.class, () -> new Server(redis.commands()::configResetstat))
				.run((context) -> {
					RateLimiter limiter = context.getBean(RateLimiter.class);
					assertThat(limiter.acquire(Charge.of("window", "alice")).allowed()).isTrue();
					assertThat(limiter.acquire(Charge.of("two", "alice")).allowed()).isTrue();
					assertThat(limiter.acquire(Charge.of("plans", "alice").withPlan("premium")).allowed()).isTrue();
					assertThat(runs(redis)).containsOnly(entry("evalsha", 3L));
					assertThat(redis.commands().keys("*")).hasSize(4);
				});
		}
	}

	@Test
	void startsWithoutTheRightToLoadScripts() {
		try (RedisProcess redis = RedisProcess.start("--user", "app", "on", ">secret", "~*", "+@all", "-script")) {
			application(redis).withPropertyValues("spring.data.redis.username=app", "spring.data.redis.password=secret")
				.run((context) -> assertThat(
						context.getBean(RateLimiter.class).acquire(Charge.of("window", "alice")).allowed())
					.isTrue());
		}
	}

	@Test
	void waitsNoLongerForARedisThatHangsThanForAConnection() {
		try (RedisProcess redis = RedisProcess.start()) {
			application(redis).run((warm) -> assertThat(warm).hasNotFailed());
			redis.pause();
			long begin = System.nanoTime();
			application(redis).run((context) -> {
				long took = System.nanoTime() - begin;
				assertThat(context).hasNotFailed();
				assertThat(Duration.ofNanos(took)).isGreaterThan(CONNECT_TIMEOUT).isLessThan(Duration.ofSeconds(5));
				redis.resume();
				RedisRateLimitStore store = context.getBean(RedisRateLimitStore.class);
				store.connect();
			});
		}
	}

	@Test
	void doesNotWaitForARedisThatIsNotThere() {
		RedisProcess redis = RedisProcess.start();
		redis.kill();
		application(redis).withPropertyValues("ratelimit.redis.connect-timeout=1m").run((context) -> {
			assertThat(context).hasNotFailed();
		});
		redis.close();
	}

	private static ApplicationContextRunner application(RedisProcess redis) {
		return RedisApplication.application("lettuce", "port=" + redis.port())
			.withPropertyValues("ratelimit.redis.connect-timeout=" + CONNECT_TIMEOUT.toMillis() + "ms",
					"ratelimit.policies.window.limits=9/1h fixed-window",
					"ratelimit.policies.two.limits=9/1h leaky-bucket,99/1d sliding-window-log",
					"ratelimit.policies.plans.limits=9/1h", "ratelimit.policies.plans.plan=header:X-Plan",
					"ratelimit.policies.plans.plans.premium=99/1h sliding-window-counter");
	}

	/** How often scripts were run so far, by command. */
	private static Map<String, Long> runs(RedisProcess redis) {
		return Pattern.compile("cmdstat_(eval|evalsha):calls=(\\d+)")
			.matcher(redis.commands().info("commandstats"))
			.results()
			.collect(Collectors.toMap((found) -> found.group(1), (found) -> Long.parseLong(found.group(2))));
	}

	/** Starts when a web server does. */
	private static final class Server implements SmartLifecycle {

		private final Runnable start;

		private volatile boolean running;

		Server(Runnable start) {
			this.start = start;
		}

		@Override
		public void start() {
			this.start.run();
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE;
		}

	}

}
