package io.github.ratelimit.faults;

import java.time.Duration;

import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Stores with the defaults of an application. */
final class Stores {

	static final Duration TIMEOUT = Duration.ofMillis(100);

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private Stores() {
	}

	static RedisRateLimitStore at(int port) {
		return dedicated(new LettuceConnectionFactory("127.0.0.1", port));
	}

	static RedisRateLimitStore dedicated(LettuceConnectionFactory application) {
		RedisRateLimitStore store = RedisRateLimitStore.dedicated(application, "faults", TIMEOUT,
				Duration.ofMillis(500), "faults:counts");
		store.warmUp();
		return store;
	}

	/**
	 * Returns a store with a timeout that is longer than any delay by the machine, for
	 * tests without timing.
	 */
	static RedisRateLimitStore patient(int port) {
		return RedisRateLimitStore.dedicated(new LettuceConnectionFactory("127.0.0.1", port), "faults", PATIENCE,
				PATIENCE, "faults:counts");
	}

	/** Returns the charges of all keys of a load. */
	static long charged(int port) {
		try (RedisRateLimitStore store = patient(port)) {
			return FaultPermits.charged(store);
		}
	}

	static boolean tryAcquire(RateLimitStore store, String key) {
		return acquire(store, key) == null;
	}

	/** Acquires a permit, and returns the kind of failure, if any. */
	static @Nullable Kind acquire(RateLimitStore store, String key) {
		try {
			store.execute(new StoreRequest(StoreOperation.ACQUIRE, FaultPermits.one(key)));
			return null;
		}
		catch (RateLimitStoreException ex) {
			return ex.getKind();
		}
	}

}
