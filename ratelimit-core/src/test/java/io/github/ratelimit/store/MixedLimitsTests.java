package io.github.ratelimit.store;

import java.util.function.LongSupplier;

/**
 * The memory store, whose limits differ from call to call: by plan, and by caller.
 */
class MixedLimitsTests extends MixedLimitsContract {

	@Override
	protected RateLimitStore store(LongSupplier clock) {
		return new MemoryRateLimitStore(1000, clock);
	}

}
