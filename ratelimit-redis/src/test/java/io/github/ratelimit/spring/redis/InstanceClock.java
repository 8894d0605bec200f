package io.github.ratelimit.spring.redis;

import java.util.function.LongSupplier;

import io.github.ratelimit.spring.redis.script.ServerClock;

/** The clock of an instance, for tests in which it differs from that of Redis. */
public final class InstanceClock {

	private InstanceClock() {
	}

	/**
	 * Returns a store whose instance has another clock. It caches no denials.
	 * @param store a store
	 * @param millis a clock like {@link System#currentTimeMillis}
	 * @return a store that shares the connection of the other
	 */
	public static RedisRateLimitStore of(RedisRateLimitStore store, LongSupplier millis) {
		return store.at(ServerClock.like(millis));
	}

}
