package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.Driver.ConnectedStore;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The store while Redis does not reply or is down. The bounds on time allow for a slow
 * machine, and are far below the defaults of every driver.
 */
@Tag("long")
class RedisUnavailableIT {

	private static final Duration TIMEOUT = Duration.ofMillis(300);

	private static final Duration MARGIN = Duration.ofSeconds(3);

	/** A pause that is longer than a test that ends in time. */
	private static final long PAUSE_MILLIS = 15_000;

	private static final List<PermitRequest> PERMITS = PermitRequests.of("one",
			List.of(Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("9/1h"))), "alice@example.com", 1);

	@ParameterizedTest
	@EnumSource
	void failsInTimeWhileRedisDoesNotReply(Driver driver) {
		try (RedisProcess redis = RedisProcess.start(); ConnectedStore connected = connect(driver, redis)) {
			assertThat(connected.store().execute(new StoreRequest(StoreOperation.ACQUIRE, PERMITS)).allowed()).isTrue();
			redis.commands().clientPause(PAUSE_MILLIS);
			assertThatItFailsInTime(connected.store());
			redis.kill();
		}
	}

	@ParameterizedTest
	@EnumSource
	void failsInTimeIfRedisNeverReplies(Driver driver) {
		try (RedisProcess redis = RedisProcess.start(); ConnectedStore connected = connect(driver, redis)) {
			redis.commands().clientPause(PAUSE_MILLIS);
			assertThatItFailsInTime(connected.store());
			redis.kill();
		}
	}

	@ParameterizedTest
	@EnumSource
	void failsInTimeIfRedisRefusesConnections(Driver driver) {
		try (RedisProcess redis = RedisProcess.start(); ConnectedStore connected = connect(driver, redis)) {
			redis.kill();
			assertThatItFailsInTime(connected.store());
		}
	}

	@ParameterizedTest
	@EnumSource
	void failsInTimeAfterRedisIsKilled(Driver driver) {
		try (RedisProcess redis = RedisProcess.start(); ConnectedStore connected = connect(driver, redis)) {
			assertThat(connected.store().execute(new StoreRequest(StoreOperation.ACQUIRE, PERMITS)).allowed()).isTrue();
			redis.kill();
			assertThatItFailsInTime(connected.store());
		}
	}

	private static void assertThatItFailsInTime(RateLimitStore store) {
		long start = System.nanoTime();
		assertThatItIsTimely(catchThrowable(() -> store.execute(new StoreRequest(StoreOperation.ACQUIRE, PERMITS))),
				start);
		long startOfAsync = System.nanoTime();
		CompletableFuture<Decision> future = store.executeAsync(new StoreRequest(StoreOperation.ACQUIRE, PERMITS))
			.toCompletableFuture();
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
