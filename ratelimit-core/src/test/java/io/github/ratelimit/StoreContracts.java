package io.github.ratelimit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.MixedLimitsContract;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreContract;
import io.github.ratelimit.store.RefundsContract;
import io.github.ratelimit.store.TurnsContract;
import org.junit.jupiter.api.Nested;

/**
 * All contracts of a store. A store is tested by a subclass that creates it; what is
 * special about it has tests of its own.
 */
public abstract class StoreContracts {

	/** A new name for each test, as some use the same policies. */
	private final String counts = "contracts-" + System.nanoTime();

	/**
	 * Creates a store.
	 * @param counts the name of its counts, of letters, digits and hyphens
	 * @param clock the store's time, in microseconds since 1970
	 * @return a store that shares its counts with others that this test creates with that
	 * name; a store that shares none is created once
	 */
	protected abstract RateLimitStore store(String counts, LongSupplier clock);

	/**
	 * Returns for how long calls may use their counts, in real time.
	 * @return a time after which the store may have forgotten them
	 */
	protected Duration longestUse() {
		return Duration.ofDays(1);
	}

	private RateLimitStore store(LongSupplier clock) {
		return store(this.counts, clock);
	}

	/** Each limit alone. */
	@Nested
	class Decisions extends RateLimitStoreContract {

		@Override
		protected RateLimitStore store(LongSupplier clock) {
			return StoreContracts.this.store(clock);
		}

	}

	/** Limits that differ from call to call. */
	@Nested
	class MixedLimits extends MixedLimitsContract {

		@Override
		protected RateLimitStore store(LongSupplier clock) {
			return StoreContracts.this.store(clock);
		}

	}

	/** Calls that wait. */
	@Nested
	class Turns extends TurnsContract {

		@Override
		protected RateLimitStore store(LongSupplier clock) {
			return StoreContracts.this.store(clock);
		}

	}

	/** Refunds. */
	@Nested
	class Refunds extends RefundsContract {

		@Override
		protected RateLimitStore store(LongSupplier clock) {
			return StoreContracts.this.store(clock);
		}

	}

	/** Calls of all kinds of policies. */
	@Nested
	class Calls extends CallsContract {

		private final AtomicLong clock = new AtomicLong();

		private final RateLimitStore store = StoreContracts.this.store(this.clock::get);

		@Override
		protected RateLimitStore store() {
			return this.store;
		}

		@Override
		protected void setClock(long micros) {
			this.clock.set(micros);
		}

		@Override
		protected Duration longestUse() {
			return StoreContracts.this.longestUse();
		}

	}

	/** Reservations that another process settles. */
	@Nested
	class DetachedReservations extends DetachedReservationContract {

		@Override
		protected RateLimitStore store(LongSupplier clock) {
			return StoreContracts.this.store(clock);
		}

	}

	/** The same, compared with reservations in the process. */
	@Nested
	class DetachedParity extends DetachedParityContract {

		@Override
		protected RateLimitStore store(LongSupplier clock) {
			return StoreContracts.this.store(clock);
		}

	}

	/** The same, with all pairs of features, on a clock that goes. */
	@Nested
	class DetachedPairs extends DetachedPairsContract {

		@Override
		protected RateLimitStore store(String counts) {
			return StoreContracts.this.store(StoreContracts.this.counts + '-' + counts,
					() -> TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));
		}

	}

}
