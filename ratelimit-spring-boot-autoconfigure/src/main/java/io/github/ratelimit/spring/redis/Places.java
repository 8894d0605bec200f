package io.github.ratelimit.spring.redis;

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

	void removeIf(Predicate<T> condition) {
		for (int place = 0; place < this.places.length(); place++) {
			T remembered = this.places.get(place);
			if (remembered != null && condition.test(remembered)) {
				this.places.set(place, null);
			}
		}
	}

	/** The same for all limits of a bucket and key. */
	private int place(Debit debit) {
		int hash = 31 * debit.key().hashCode() + debit.clause().bucket().hashCode();
		return (hash ^ (hash >>> 16)) & (this.places.length() - 1);
	}

}
