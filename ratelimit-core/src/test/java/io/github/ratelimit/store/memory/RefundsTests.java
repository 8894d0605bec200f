package io.github.ratelimit.store.memory;

import java.util.function.LongSupplier;

import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RefundsContract;

/** Tests of the memory store with refunds. */
class RefundsTests extends RefundsContract {

	@Override
	protected RateLimitStore store(LongSupplier clock) {
		return new MemoryRateLimitStore(1000, clock);
	}

}
