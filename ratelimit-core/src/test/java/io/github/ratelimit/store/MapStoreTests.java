package io.github.ratelimit.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.github.ratelimit.StoreContracts;
import io.github.ratelimit.algorithm.Limit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a store keeps all contracts if it keeps what {@link Counts} have decided.
 */
@Tag("long")
class MapStoreTests extends StoreContracts {

	private final Map<String, RateLimitStore> stores = new HashMap<>();

	@Override
	protected RateLimitStore store(String counts, LongSupplier clock) {
		return this.stores.computeIfAbsent(counts, (created) -> new MapStore(clock));
	}

	@Test
	void keepsNothingOfWhatWasNeverChargedOrHasRunOut() {
		AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);
		MapStore store = new MapStore(clock::get);
		store.execute(request(StoreOperation.PEEK));
		assertThat(store.size()).isZero();
		store.execute(request(StoreOperation.ACQUIRE));
		clock.addAndGet(999_999);
		assertThat(store.size()).isOne();
		clock.addAndGet(1);
		assertThat(store.size()).isZero();
	}

	private static StoreRequest request(StoreOperation operation) {
		return new StoreRequest(operation, PermitRequests.of("p", List.of(Limit.parse("10/10s")), "a", 1));
	}

}
