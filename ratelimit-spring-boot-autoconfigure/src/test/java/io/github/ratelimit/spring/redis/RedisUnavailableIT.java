package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.Driver.ConnectedStore;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Debits;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What the store does while Redis does not answer, or is not there. What is promised of
 * the time it takes allows for a slow machine, and is far below every driver's default.
 */
class RedisUnavailableIT {

	private static final Duration TIMEOUT = Duration.ofMillis(300);

	private static final Duration MARGIN = Duration.ofSeconds(3);

	/** Longer than a test may take that ends in time. */
	private static final long PAUSE_MILLIS = 15_000;

	private static final List<Debit> CALL = Debits.of("one",
			List.of(Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("9/1h"))), "alice@example.com", 1);

	@ParameterizedTest
	@EnumSource
	void failsInTimeWhileRedisDoesNotAnswer(Driver driver) {
		try (RedisProcess redis = RedisProcess.start(); ConnectedStore connected = connect(driver, redis)) {
			assertThat(connected.store().execute(Operation.ACQUIRE, CALL).allowed()).isTrue();
			redis.commands().clientPause(PAUSE_MILLIS);
			assertThatItFailsInTime(connected.store());
			redis.kill();
		}
	}

	@ParameterizedTest
	@EnumSource
	void failsInTimeWhereRedisDoesNotAnswerFromTheFirst(Driver driver) {
		try (RedisProcess redis = RedisProcess.start(); ConnectedStore connected = connect(driver, redis)) {
			redis.commands().clientPause(PAUSE_MILLIS);
			assertThatItFailsInTime(connected.store());
			redis.kill();
		}
	}

	@ParameterizedTest
	@EnumSource
	void failsInTimeWhereRedisRefusesConnections(Driver driver) {
		try (RedisProcess redis = RedisProcess.start(); ConnectedStore connected = connect(driver, redis)) {
			redis.kill();
			assertThatItFailsInTime(connected.store());
		}
	}

	@ParameterizedTest
	@EnumSource
	void failsInTimeAfterRedisWentAway(Driver driver) {
		try (RedisProcess redis = RedisProcess.start(); ConnectedStore connected = connect(driver, redis)) {
			assertThat(connected.store().execute(Operation.ACQUIRE, CALL).allowed()).isTrue();
			redis.kill();
			assertThatItFailsInTime(connected.store());
		}
	}

	private static void assertThatItFailsInTime(RateLimitStore store) {
		long start = System.nanoTime();
		assertThatItIsTimely(catchThrowable(() -> store.execute(Operation.ACQUIRE, CALL)), start);
		long startOfAsync = System.nanoTime();
		CompletableFuture<Decision> future = store.executeAsync(Operation.ACQUIRE, CALL).toCompletableFuture();
		Throwable failure = catchThrowable(() -> future.get(MARGIN.toMillis(), TimeUnit.MILLISECONDS));
		assertThat(failure).isInstanceOf(ExecutionException.class);
		assertThatItIsTimely(failure.getCause(), startOfAsync);
	}

	private static void assertThatItIsTimely(@Nullable Throwable failure, long start) {
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TIMEOUT.plus(MARGIN));
		assertThat(failure).isInstanceOf(RateLimitStoreException.class);
		assertThat(failure).hasMessageNotContainingAny("alice", "test:1:");
	}

	private static ConnectedStore connect(Driver driver, RedisProcess redis) {
		return driver.connect(redis.port(), TIMEOUT);
	}

}
