package io.github.ratelimit.store.memory;

import java.util.function.LongSupplier;

import io.github.ratelimit.DetachedParityContract;
import io.github.ratelimit.store.RateLimitStore;
import org.jspecify.annotations.Nullable;

/**
 * Tests that tokens correct counts in memory as reservations do.
 */
class DetachedParityTests extends DetachedParityContract {

	private @Nullable RateLimitStore store;

	@Override
	protected RateLimitStore store(LongSupplier clock) {
		RateLimitStore known = (this.store != null) ? this.store : new MemoryRateLimitStore(10_000, clock);
		this.store = known;
		return known;
	}

}
