package io.github.ratelimit.store.shared;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;

import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * A direct-mapped cache of fixed size, by counter and key. On a collision the later entry
 * wins. Thread-safe.
 *
 * @param <T> the type of its entries
 */
final class DirectMappedCache<T> {

	private final AtomicReferenceArray<@Nullable T> slots;

	/**
	 * Creates an empty cache.
	 * @param maxSize the number of slots, rounded down to a power of two; 0 for a cache
	 * that stays empty
	 */
	DirectMappedCache(int maxSize) {
		this.slots = new AtomicReferenceArray<>(Integer.highestOneBit(maxSize));
	}

	@Nullable T get(StoreRequest request) {
		return (this.slots.length() > 0) ? this.slots.get(index(request.permits().get(0))) : null;
	}

	void put(StoreRequest request, @Nullable T entry) {
		put(request.permits().get(0), entry);
	}

	private void put(PermitRequest permit, @Nullable T entry) {
		if (this.slots.length() > 0) {
			this.slots.set(index(permit), entry);
		}
	}

	/** Empties the slot of a counter and key, without a write if it is empty. */
	void remove(PermitRequest permit) {
		if (this.slots.length() > 0 && this.slots.get(index(permit)) != null) {
			put(permit, null);
		}
	}

	/**
	 * Replaces an expected entry, or none, and returns whether it was the current one.
	 */
	boolean replace(StoreRequest request, @Nullable T expected, @Nullable T next) {
		return this.slots.length() > 0 && this.slots.compareAndSet(index(request.permits().get(0)), expected, next);
	}

	/** Removes and returns the entries that meet a condition. */
	List<T> removeIf(Predicate<T> condition) {
		List<T> removed = new ArrayList<>();
		for (int index = 0; index < this.slots.length(); index++) {
			T entry = this.slots.get(index);
			while (entry != null && condition.test(entry)) {
				if (this.slots.compareAndSet(index, entry, null)) {
					removed.add(entry);
				}
				entry = this.slots.get(index);
			}
		}
		return removed;
	}

	/** Returns the same slot for all limits of a counter and key. */
	private int index(PermitRequest permit) {
		int hash = 31 * permit.key().hashCode() + permit.policyLimit().counter().hashCode();
		return (hash ^ (hash >>> 16)) & (this.slots.length() - 1);
	}

}
