package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Timeouts on a dedicated connection. */
class TimeoutIT {

	private static final Duration TIMEOUT = Duration.ofMillis(100);

	private static final Duration LONG = TIMEOUT.multipliedBy(4);

	@Test
	void decidesAfterTheReadingThreadWasBlocked() throws InterruptedException {
		try (RedisProcess redis = RedisProcess.start(); RedisRateLimitStore store = store(redis)) {
			assertThat(failure(store, "first")).isNull();
			CountDownLatch blocked = new CountDownLatch(1);
			CompletableFuture<Void> blocking = store
				.executeAsync(new StoreRequest(StoreOperation.ACQUIRE, permits("blocking")))
				.thenAccept((decision) -> block(blocked))
				.toCompletableFuture();
			blocked.await();
			assertThat(failure(store, "second")).isNull();
			assertThat(blocking).succeedsWithin(Duration.ofSeconds(10));
		}
	}

	@Test
	void endsARequestInTimeOnTheReadingThread() {
		try (RedisProcess redis = RedisProcess.start(); RedisRateLimitStore store = store(redis)) {
			assertThat(failure(store, "first")).isNull();
			CompletableFuture<Optional<Kind>> inner = store
				.executeAsync(new StoreRequest(StoreOperation.ACQUIRE, permits("outer")))
				.thenApply((decision) -> Optional.ofNullable(failure(store, "inner")))
				.toCompletableFuture();
			assertThat(inner).succeedsWithin(Duration.ofSeconds(10));
		}
	}

	private static void block(CountDownLatch blocked) {
		blocked.countDown();
		try {
			TimeUnit.MILLISECONDS.sleep(LONG.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static @Nullable Kind failure(RedisRateLimitStore store, String key) {
		try {
			store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits(key)));
			return null;
		}
		catch (RateLimitStoreException ex) {
			return ex.getKind();
		}
	}

	private static List<PermitRequest> permits(String key) {
		return PermitRequests.of("calls", List.of(Limit.parse("1000/1h", Algorithm.TOKEN_BUCKET)), key, 1);
	}

	private static RedisRateLimitStore store(RedisProcess redis) {
		RedisRateLimitStore store = RedisRateLimitStore.dedicated(
				new LettuceConnectionFactory("127.0.0.1", redis.port()), "test", TIMEOUT, Duration.ofSeconds(5),
				"test:counts");
		store.connect();
		return store;
	}

}
