package io.github.ratelimit.store.memory;

import java.util.function.LongSupplier;

import io.github.ratelimit.DetachedReservationContract;
import io.github.ratelimit.store.RateLimitStore;
import org.jspecify.annotations.Nullable;

/**
 * Tests of detached reservations in memory, with two limiters on one store.
 */
class DetachedReservationTests extends DetachedReservationContract {

	private @Nullable RateLimitStore store;

	@Override
	protected RateLimitStore store(LongSupplier clock) {
		RateLimitStore known = (this.store != null) ? this.store : new MemoryRateLimitStore(10_000, clock);
		this.store = known;
		return known;
	}

}
