package io.github.ratelimit.faults;

import java.time.Duration;

import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Stores as an application has them by default.
 */
final class Stores {

	static final Duration TIMEOUT = Duration.ofMillis(100);

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private Stores() {
	}

	static RedisRateLimitStore at(int port) {
		return beside(new LettuceConnectionFactory("127.0.0.1", port));
	}

	static RedisRateLimitStore beside(LettuceConnectionFactory application) {
		RedisRateLimitStore store = RedisRateLimitStore.beside(application, "faults", TIMEOUT, Duration.ofMillis(500));
		store.warmUp();
		return store;
	}

	/** One that waits longer than any machine is late by, where time is not the point. */
	static RedisRateLimitStore patient(int port) {
		return RedisRateLimitStore.beside(new LettuceConnectionFactory("127.0.0.1", port), "faults", PATIENCE,
				PATIENCE);
	}

	/** What Redis has charged all keys of a load. */
	static long charged(int port) {
		try (RedisRateLimitStore store = patient(port)) {
			return Spending.charged(store);
		}
	}

	static boolean decides(RateLimitStore store, String key) {
		return ask(store, key) == null;
	}

	/** How a call failed, if it did. */
	static @Nullable Kind ask(RateLimitStore store, String key) {
		try {
			store.execute(Operation.ACQUIRE, Spending.one(key));
			return null;
		}
		catch (RateLimitStoreException ex) {
			return ex.getKind();
		}
	}

}
