package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.InvalidRateLimitException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.core.StringRedisTemplate;

import static io.github.ratelimit.autoconfigure.RedisApplication.limiter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The limiter's connection beside the application's, and what it does when an application
 * starts.
 */
@ExtendWith(OutputCaptureExtension.class)
class RedisConnectionIT {

	private static final Charge CHARGE = Charge.of("three", "alice");

	@Test
	void isBesideTheApplicationsAndEndsWithTheApplication() {
		try (RedisProcess redis = RedisProcess.start()) {
			application(redis.port()).run((context) -> {
				assertThat(limiter(context).acquire(CHARGE).allowed()).isTrue();
				context.getBean(StringRedisTemplate.class).hasKey("any");
				assertThat(connections(redis)).hasSize(2);
			});
			await().untilAsserted(() -> assertThat(connections(redis)).isEmpty());
		}
	}

	@Test
	void isTheApplicationsWhereAskedTo() {
		try (RedisProcess redis = RedisProcess.start()) {
			application(redis.port()).withPropertyValues("ratelimit.redis.dedicated-connection=false")
				.run((context) -> {
					assertThat(limiter(context).acquire(CHARGE).allowed()).isTrue();
					context.getBean(StringRedisTemplate.class).hasKey("any");
					assertThat(connections(redis)).hasSize(1);
				});
		}
	}

	@Test
	void decidesWithinTwoSecondsOfRedisComingUp() {
		RedisProcess redis = RedisProcess.start();
		redis.kill();
		application(redis.port()).run((context) -> {
			RateLimiter limiter = limiter(context);
			await().until(() -> context.getBean(RateLimitStore.class).breakerState(), (state) -> {
				decides(limiter);
				return state == BreakerState.OPEN;
			});
			redis.restart();
			await().atMost(Duration.ofSeconds(2)).pollInterval(Duration.ofMillis(10)).until(() -> decides(limiter));
		});
		redis.close();
	}

	@Test
	void isThereBeforeTheApplicationStartsWhereItMustBe() {
		try (RedisProcess redis = RedisProcess.start()) {
			application(redis.port()).withPropertyValues("ratelimit.redis.fail-fast=true")
				.run((context) -> assertThat(limiter(context).acquire(CHARGE).allowed()).isTrue());
		}
	}

	@Test
	void stopsTheStartUpWhereItMustBeAndIsNot() {
		application(1).withPropertyValues("ratelimit.redis.fail-fast=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isNotNull()
				.satisfies((cause) -> assertThat(context.getStartupFailure()).cause()
					.cause()
					.isInstanceOf(InvalidRateLimitException.class)
					.hasMessageContainingAll("ratelimit.redis.fail-fast", "connection")));
	}

	@Test
	void warnsOfEviction(CapturedOutput output) {
		try (RedisProcess redis = RedisProcess.start("--maxmemory-policy", "allkeys-lru")) {
			application(redis.port()).run((context) -> await().until(output::getAll,
					(text) -> text.contains("its maxmemory-policy is 'allkeys-lru'")));
		}
	}

	@Test
	void namesTheCommandsThatScriptsMayNotRun(CapturedOutput output) {
		try (RedisProcess redis = RedisProcess.start("--user", "app", "on", ">secret", "~ratelimit:*", "+@all", "-set",
				"-config")) {
			application(redis.port())
				.withPropertyValues("spring.data.redis.username=app", "spring.data.redis.password=secret")
				.run((context) -> await().until(output::getAll,
						(text) -> text.contains("may not run what rate limits need on keys 'ratelimit:*': SET")));
		}
	}

	@Test
	void namesTheCommandWithoutWhichItCannotDecide(CapturedOutput output) {
		try (RedisProcess redis = RedisProcess.start("--user", "app", "on", ">secret", "~*", "+@all", "-evalsha")) {
			application(redis.port())
				.withPropertyValues("spring.data.redis.username=app", "spring.data.redis.password=secret")
				.run((context) -> await().until(output::getAll,
						(text) -> text.contains("may not run what rate limits need on keys 'ratelimit:*': EVALSHA")));
			assertThat(output).doesNotContain("secret");
		}
	}

	@Test
	void warnsOfNothingWhereNothingIsWrong(CapturedOutput output) {
		try (RedisProcess redis = RedisProcess.start()) {
			application(redis.port()).run((context) -> {
				assertThat(limiter(context).acquire(CHARGE).allowed()).isTrue();
				await().until(() -> redis.commands().info("commandstats"), (stats) -> stats.contains("config|get"));
			});
			assertThat(output.getAll().lines().filter((line) -> line.contains("WARN"))).isEmpty();
		}
	}

	private static ApplicationContextRunner application(int port) {
		return RedisApplication.application("lettuce", "client-name=app", "port=" + port, "connect-timeout=5s")
			.withPropertyValues("ratelimit.redis.timeout=1s", "ratelimit.redis.connect-timeout=5s");
	}

	private static boolean decides(RateLimiter limiter) {
		try {
			limiter.acquire(CHARGE);
			return true;
		}
		catch (RateLimitStoreException ex) {
			return false;
		}
	}

	private static List<String> connections(RedisProcess redis) {
		return redis.commands().clientList().lines().filter((line) -> line.contains("name=app")).toList();
	}

}
