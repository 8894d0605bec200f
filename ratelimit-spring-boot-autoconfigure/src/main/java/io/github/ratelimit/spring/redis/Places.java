package io.github.ratelimit.spring.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;

import io.github.ratelimit.store.Debit;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of keys, each of which has a place, by its bucket too. As there is a
 * fixed number of places, keys may have to share one: what is put there later stays.
 *
 * @param <T> what is remembered of a key
 */
final class Places<T> {

	private final AtomicReferenceArray<@Nullable T> places;

	/**
	 * Empty places.
	 * @param max how many at most, rounded down to a power of two; 0 for none, in which
	 * nothing stays
	 */
	Places(int max) {
		this.places = new AtomicReferenceArray<>(Integer.highestOneBit(max));
	}

	@Nullable T get(Debit debit) {
		return (this.places.length() > 0) ? this.places.get(place(debit)) : null;
	}

	void put(Debit debit, @Nullable T remembered) {
		if (this.places.length() > 0) {
			this.places.set(place(debit), remembered);
		}
	}

	/** Puts something in the place of what is expected there, or nothing. */
	boolean replace(Debit debit, @Nullable T expected, @Nullable T next) {
		return this.places.length() > 0 && this.places.compareAndSet(place(debit), expected, next);
	}

	/** Removes and returns what meets a condition. */
	List<T> removeIf(Predicate<T> condition) {
		List<T> removed = new ArrayList<>();
		for (int place = 0; place < this.places.length(); place++) {
			T remembered = this.places.get(place);
			while (remembered != null && condition.test(remembered)) {
				if (this.places.compareAndSet(place, remembered, null)) {
					removed.add(remembered);
				}
				remembered = this.places.get(place);
			}
		}
		return removed;
	}

	/** The same for all limits of a bucket and key. */
	private int place(Debit debit) {
		int hash = 31 * debit.key().hashCode() + debit.clause().bucket().hashCode();
		return (hash ^ (hash >>> 16)) & (this.places.length() - 1);
	}

}
