package io.github.ratelimit.spring.event;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

import io.github.ratelimit.key.Fnv1a;

/**
 * A sampler that takes each key once per interval, and a bounded number of keys per
 * second. It keeps a fixed number of keys; one that another replaced may be taken again
 * within its interval. Lock-free.
 */
final class KeySampler {

	/** The most keys that are taken in a second. */
	static final int MOST_PER_SECOND = 100;

	private static final int SLOTS = 4096;

	/** The bits of a slot that hold the time of the next sample, in milliseconds. */
	private static final int TIME_BITS = 40;

	private static final long TIME = (1L << TIME_BITS) - 1;

	private static final long FREE = -1;

	private final AtomicLongArray slots = new AtomicLongArray(SLOTS);

	private final AtomicLong second = new AtomicLong(-1);

	private final AtomicInteger taken = new AtomicInteger();

	/** Unknown to callers, who could choose keys of equal hashes otherwise. */
	private final long seed = new SecureRandom().nextLong();

	private final long interval;

	private final LongSupplier millis;

	/**
	 * Creates a sampler.
	 * @param interval the time between two samples of a key
	 * @param millis a time in milliseconds that never goes back and starts near zero
	 */
	KeySampler(Duration interval, LongSupplier millis) {
		this.interval = interval.toMillis();
		this.millis = millis;
		for (int slot = 0; slot < SLOTS; slot++) {
			this.slots.set(slot, FREE);
		}
	}

	/** Takes a key of a policy, unless it was taken less than an interval ago. */
	boolean tryTake(String policy, String key) {
		return tryTake(policy, key, 0);
	}

	/**
	 * Takes a key of a policy, unless it was taken less than an interval, or the longer
	 * time of then, ago.
	 */
	boolean tryTake(String policy, String key, long atLeastMillis) {
		long now = this.millis.getAsLong();
		long hash = Fnv1a.hash(Fnv1a.hash(this.seed, policy), key) * 0x9E3779B97F4A7C15L;
		int slot = (int) (hash >>> 52);
		long tag = hash << 12 & ~TIME;
		long last = this.slots.get(slot);
		if (last != FREE && (last & ~TIME) == tag && now < (last & TIME)) {
			return false;
		}
		long next = Math.min(TIME, now + Math.max(this.interval, atLeastMillis));
		return tryTakeInSecond(now / 1000) && this.slots.compareAndSet(slot, last, tag | next);
	}

	private boolean tryTakeInSecond(long now) {
		long last = this.second.get();
		if (last != now && this.second.compareAndSet(last, now)) {
			this.taken.set(0);
		}
		return this.taken.incrementAndGet() <= MOST_PER_SECOND;
	}

}
