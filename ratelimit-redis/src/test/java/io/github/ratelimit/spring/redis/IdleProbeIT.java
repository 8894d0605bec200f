package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.redis.RedisCluster;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.Driver.ConnectedStore;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreFailure;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The circuit breaker of an instance without calls.
 */
@Tag("long")
class IdleProbeIT {

	private static final Duration TIMEOUT = Duration.ofMillis(300);

	private static final Duration PATIENCE = Duration.ofSeconds(40);

	private static final List<PermitRequest> PERMITS = PermitRequests.of("one",
			List.of(Limit.parse("9/1h", Algorithm.TOKEN_BUCKET)), "alice@example.com", 1);

	@ParameterizedTest
	@EnumSource
	void opensWhenRedisIsGoneAndClosesWhenItIsBack(Driver driver) {
		try (RedisProcess redis = RedisProcess.start();
				ConnectedStore connected = driver.connect(redis.port(), TIMEOUT)) {
			RedisRateLimitStore store = warm(connected);
			redis.kill();
			awaitState(store, BreakerState.OPEN);
			redis.restart();
			awaitState(store, BreakerState.CLOSED);
		}
	}

	@ParameterizedTest
	@EnumSource
	void opensIfRedisWasNeverThere(Driver driver) {
		try (RedisProcess redis = RedisProcess.start();
				ConnectedStore connected = driver.connect(redis.port(), TIMEOUT)) {
			redis.kill();
			RedisRateLimitStore store = connected.store();
			store.warmUp();
			awaitState(store, BreakerState.OPEN);
			redis.restart();
			awaitState(store, BreakerState.CLOSED);
		}
	}

	@ParameterizedTest
	@EnumSource
	void staysOpenWhileRedisTakesReadsButNoWrites(Driver driver) {
		try (RedisProcess redis = RedisProcess.start();
				ConnectedStore connected = driver.connect(redis.port(), TIMEOUT)) {
			RedisRateLimitStore store = warm(connected);
			redis.commands().configSet("maxmemory", "1");
			for (int call = 0; call < 5; call++) {
				assertThatExceptionOfType(RateLimitStoreException.class)
					.isThrownBy(() -> store.execute(new StoreRequest(StoreOperation.ACQUIRE, PERMITS)));
			}
			await().during(Duration.ofSeconds(3))
				.atMost(PATIENCE)
				.until(store::breakerState, (state) -> state != BreakerState.CLOSED);
			assertThat(store.lastFailure()).extracting(StoreFailure::kind).isEqualTo(Kind.OOM);
			redis.commands().configSet("maxmemory", "0");
			awaitState(store, BreakerState.CLOSED);
		}
	}

	@Test
	void readsOnlyWhileRedisDecides() {
		try (RedisProcess redis = RedisProcess.start();
				ConnectedStore connected = Driver.DEDICATED.connect(redis.port(), TIMEOUT)) {
			warm(connected);
			long before = runs(redis);
			await().until(() -> runs(redis) > before + 2);
			assertThat(redis.commands().keys("*")).isEmpty();
		}
	}

	@Test
	void reachesEveryMasterOfACluster() {
		try (RedisCluster cluster = RedisCluster.start()) {
			LettuceConnectionFactory application = new LettuceConnectionFactory(
					new RedisClusterConfiguration(List.of(cluster.nodes().split(",", -1))));
			try (RedisRateLimitStore store = RedisRateLimitStore.dedicated(application, "test", TIMEOUT,
					Duration.ofMillis(500), "test:counts")) {
				store.connect();
				store.warmUp();
				for (RedisProcess master : List.of(cluster.master(0), cluster.master(1), cluster.master(2))) {
					long runs = runs(master);
					await().atMost(PATIENCE).until(() -> runs(master) > runs);
				}
			}
		}
	}

	private static RedisRateLimitStore warm(ConnectedStore connected) {
		RedisRateLimitStore store = connected.store();
		store.connect();
		store.warmUp();
		return store;
	}

	private static void awaitState(RedisRateLimitStore store, BreakerState state) {
		await().atMost(PATIENCE).until(store::breakerState, (current) -> current == state);
	}

	private static long runs(RedisProcess redis) {
		return redis.commands()
			.info("commandstats")
			.lines()
			.filter((line) -> line.startsWith("cmdstat_evalsha:calls="))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf('=') + 1, line.indexOf(','))))
			.sum();
	}

}
