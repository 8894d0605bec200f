package io.github.ratelimit.autoconfigure.redis;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.RedisSentinels;
import io.github.ratelimit.redis.TcpProxy;
import io.github.ratelimit.redis.TlsProxy;
import io.github.ratelimit.store.RateLimitStoreException;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.Tag;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ContextConsumer;

import static io.github.ratelimit.autoconfigure.redis.RedisApplication.application;
import static io.github.ratelimit.autoconfigure.redis.RedisApplication.async;
import static io.github.ratelimit.autoconfigure.redis.RedisApplication.limiter;
import static io.github.ratelimit.autoconfigure.redis.RedisApplication.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The ways in which applications say where their Redis is, with real servers. For a
 * cluster, see {@link RedisClusterIT}.
 */
@Tag("long")
class RedisDeploymentsIT {

	private static final Charge CHARGE = Charge.of("three", "alice");

	@OnEachDriver
	void countsInTheRedisOfAUrlWithAPassword(String driver) {
		try (RedisProcess redis = RedisProcess.start()) {
			redis.commands().configSet("requirepass", "secret");
			application(driver, "url=redis://:secret@127.0.0.1:" + redis.port()).run(admitsThree());
			assertThatItHoldsTheCount(redis.commands());
		}
	}

	@OnEachDriver
	void countsInTheRedisOfAUrlWithAUserWhoMayTouchItsKeysOnly(String driver) {
		try (RedisProcess redis = RedisProcess.start("--user", "app", "on", ">secret", "~ratelimit:*", "+@all")) {
			application(driver, "url=redis://app:secret@127.0.0.1:" + redis.port()).run(admitsThree());
			assertThatItHoldsTheCount(redis.commands());
		}
	}

	@OnEachDriver
	void countsInTheRedisOfAHostPortAndPassword(String driver) {
		try (RedisProcess redis = RedisProcess.start()) {
			redis.commands().configSet("requirepass", "secret");
			application(driver, "host=localhost", "port=" + redis.port(), "password=secret").run(admitsThree());
			assertThatItHoldsTheCount(redis.commands());
		}
	}

	@OnEachDriver
	void failsWithAWrongPassword(String driver) {
		try (RedisProcess redis = RedisProcess.start()) {
			redis.commands().configSet("requirepass", "secret");
			application(driver, "port=" + redis.port(), "password=wrong").run(fails());
			assertThat(redis.commands().dbsize()).isZero();
		}
	}

	@OnEachDriver
	void countsInTheDatabaseOfItsNumber(String driver) {
		try (RedisProcess redis = RedisProcess.start()) {
			application(driver, "port=" + redis.port(), "database=5").run(admitsThree());
			assertThat(redis.commands().dbsize()).isZero();
			redis.commands().select(5);
			assertThatItHoldsTheCount(redis.commands());
		}
	}

	@OnEachDriver
	void countsInTheRedisOfAnSslBundle(String driver) {
		try (RedisProcess redis = RedisProcess.start(); TcpProxy tls = TlsProxy.to(redis.port())) {
			String store = "spring.ssl.bundle.jks.ours.truststore.";
			application(driver, "port=" + tls.port(), "ssl.bundle=ours")
				.withPropertyValues(store + "location=classpath:" + TlsProxy.STORE,
						store + "password=" + TlsProxy.PASSWORD, store + "type=PKCS12")
				.run(admitsThree());
			assertThatItHoldsTheCount(redis.commands());
		}
	}

	@OnEachDriver
	void failsWhereNoBundleTrustsTheCertificate(String driver) {
		try (RedisProcess redis = RedisProcess.start(); TcpProxy tls = TlsProxy.to(redis.port())) {
			application(driver, "port=" + tls.port(), "ssl.enabled=true").run(fails());
			assertThat(redis.commands().dbsize()).isZero();
		}
	}

	@OnEachDriver
	void countsInTheMasterThatSentinelsNameAlsoAfterAFailover(String driver) {
		try (RedisSentinels sentinels = RedisSentinels.start()) {
			application(driver, "sentinel.master=" + RedisSentinels.MASTER, "sentinel.nodes=" + sentinels.nodes())
				.withPropertyValues("ratelimit.redis.denial-cache.enabled=false")
				.run((context) -> {
					admitsThree().accept(context);
					assertThatItHoldsTheCount(sentinels.master().commands());
					await().until(() -> sentinels.replica().commands().keys("*").size() == 1);
					sentinels.master().kill();
					assertThat(firstAnswer(limiter(context)).allowed()).isFalse();
					assertThat(sentinels.replica().commands().role()).first().isEqualTo("master");
				});
		}
	}

	private static ContextConsumer<AssertableApplicationContext> admitsThree() {
		return (context) -> {
			RateLimiter limiter = limiter(context);
			for (long remaining = 2; remaining >= 0; remaining--) {
				LimitDecision decision = only(limiter.acquire(CHARGE));
				assertThat(decision.allowed()).isTrue();
				assertThat(decision.remaining()).isEqualTo(remaining);
			}
			assertThat(limiter.acquire(CHARGE).allowed()).isFalse();
			assertThat(async(limiter, CHARGE).allowed()).isFalse();
		};
	}

	private static ContextConsumer<AssertableApplicationContext> fails() {
		return (context) -> assertThatExceptionOfType(RateLimitStoreException.class)
			.isThrownBy(() -> limiter(context).acquire(CHARGE));
	}

	/**
	 * The first after a time in which Redis may not answer. A sentinel that a busy
	 * machine has kept from its timers does nothing for 30 seconds.
	 */
	private static Decision firstAnswer(RateLimiter limiter) {
		return await().atMost(Duration.ofMinutes(1))
			.ignoreException(RateLimitStoreException.class)
			.until(() -> limiter.acquire(CHARGE), (answer) -> true);
	}

	private static void assertThatItHoldsTheCount(RedisCommands<String, String> redis) {
		List<String> keys = redis.keys("*");
		assertThat(keys).hasSize(1).allMatch((key) -> key.startsWith("ratelimit:1:three:{"));
		assertThat(redis.pttl(keys.get(0))).isPositive();
	}

}
