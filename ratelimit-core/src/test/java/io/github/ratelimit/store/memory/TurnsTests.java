package io.github.ratelimit.store.memory;

import java.util.function.LongSupplier;

import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.TurnsContract;

/**
 * Tests of the memory store with calls whose limits have different turns.
 */
class TurnsTests extends TurnsContract {

	@Override
	protected RateLimitStore store(LongSupplier clock) {
		return new MemoryRateLimitStore(1000, clock);
	}

}
