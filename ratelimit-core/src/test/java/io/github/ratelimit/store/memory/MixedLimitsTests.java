package io.github.ratelimit.store.memory;

import java.util.function.LongSupplier;

import io.github.ratelimit.store.MixedLimitsContract;
import io.github.ratelimit.store.RateLimitStore;

/**
 * Tests of the memory store with limits that differ from call to call: by plan, and by
 * caller.
 */
class MixedLimitsTests extends MixedLimitsContract {

	@Override
	protected RateLimitStore store(LongSupplier clock) {
		return new MemoryRateLimitStore(1000, clock);
	}

}
