package io.github.ratelimit.store.memory;

import java.util.HashMap;
import java.util.Map;

import io.github.ratelimit.DetachedPairsContract;
import io.github.ratelimit.store.RateLimitStore;

/**
 * Tests of detached reservations in memory, with all pairs of features.
 */
class DetachedPairsTests extends DetachedPairsContract {

	private final Map<String, RateLimitStore> stores = new HashMap<>();

	@Override
	protected RateLimitStore store(String counts) {
		return this.stores.computeIfAbsent(counts, (created) -> new MemoryRateLimitStore(1000));
	}

}
