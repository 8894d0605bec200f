package io.github.ratelimit.store.memory;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import io.github.ratelimit.StoreContracts;
import io.github.ratelimit.store.RateLimitStore;

/** Tests that the memory store keeps all contracts. */
class MemoryStoreContractsTests extends StoreContracts {

	private final Map<String, RateLimitStore> stores = new HashMap<>();

	@Override
	protected RateLimitStore store(String counts, LongSupplier clock) {
		return this.stores.computeIfAbsent(counts, (created) -> new MemoryRateLimitStore(10_000, clock));
	}

}
