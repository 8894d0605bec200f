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
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Debits;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What counts as time of Redis, on a connection of the limiter's own.
 */
class TimeoutIT {

	private static final Duration TIMEOUT = Duration.ofMillis(100);

	private static final Duration LONG = TIMEOUT.multipliedBy(4);

	@Test
	void decidesWhereTheThreadThatReadsWasHeldUp() throws InterruptedException {
		try (RedisProcess redis = RedisProcess.start(); RedisRateLimitStore store = store(redis)) {
			assertThat(failure(store, "first")).isNull();
			CountDownLatch held = new CountDownLatch(1);
			CompletableFuture<Void> holding = store.executeAsync(Operation.ACQUIRE, call("holding"))
				.thenAccept((decision) -> hold(held))
				.toCompletableFuture();
			held.await();
			assertThat(failure(store, "second")).isNull();
			assertThat(holding).succeedsWithin(Duration.ofSeconds(10));
		}
	}

	@Test
	void endsACallInTimeThatIsMadeOnTheThreadThatReads() {
		try (RedisProcess redis = RedisProcess.start(); RedisRateLimitStore store = store(redis)) {
			assertThat(failure(store, "first")).isNull();
			CompletableFuture<Optional<Kind>> inner = store.executeAsync(Operation.ACQUIRE, call("outer"))
				.thenApply((decision) -> Optional.ofNullable(failure(store, "inner")))
				.toCompletableFuture();
			assertThat(inner).succeedsWithin(Duration.ofSeconds(10));
		}
	}

	private static void hold(CountDownLatch held) {
		held.countDown();
		try {
			TimeUnit.MILLISECONDS.sleep(LONG.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static @Nullable Kind failure(RedisRateLimitStore store, String key) {
		try {
			store.execute(Operation.ACQUIRE, call(key));
			return null;
		}
		catch (RateLimitStoreException ex) {
			return ex.getKind();
		}
	}

	private static List<Debit> call(String key) {
		return Debits.of("calls", List.of(Limit.parse("1000/1h", Algorithm.TOKEN_BUCKET)), key, 1);
	}

	private static RedisRateLimitStore store(RedisProcess redis) {
		RedisRateLimitStore store = RedisRateLimitStore.beside(new LettuceConnectionFactory("127.0.0.1", redis.port()),
				"test", TIMEOUT, Duration.ofSeconds(5));
		store.connect();
		return store;
	}

}
