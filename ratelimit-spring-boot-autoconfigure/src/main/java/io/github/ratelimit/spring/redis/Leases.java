package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import org.jspecify.annotations.Nullable;

/**
 * Permits that were charged in advance for keys that are busy, and are spent here without
 * asking Redis. They may be spent for as long as it makes no difference when they were
 * charged; what is left then is lost.
 *
 * <p>
 * A key has a place. While another key has permits left there, nothing is taken in
 * advance for it.
 */
final class Leases {

	private static final int PLACES = 16_384;

	/** What could be spent for less than this is not taken. */
	private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(1);

	private final Places<Lease> places = new Places<>(PLACES);

	private final LongSupplier nanoClock;

	Leases(LongSupplier nanoClock) {
		this.nanoClock = nanoClock;
	}

	/** Whether permits may be taken in advance for such calls. */
	static boolean areFor(List<Debit> debits) {
		return callsOfALease(debits) > 1;
	}

	/** Spends what a call asks for, if it was charged in advance. */
	@Nullable Decision spend(List<Debit> debits) {
		Lease lease = areFor(debits) ? lease(debits) : null;
		if (lease == null) {
			return null;
		}
		long age = this.nanoClock.getAsLong() - lease.asked;
		long left = (age < lease.holds) ? lease.calls.decrementAndGet() : -1;
		return (left >= 0) ? Later.decision(lease.decision, age, debits, left) : null;
	}

	/**
	 * For how many calls to take permits in advance, beside those of a call at hand.
	 */
	long inAdvance(List<Debit> debits) {
		Lease latest = lease(debits);
		return (latest != null && latest.lasts(0, this.nanoClock.getAsLong()) >= SHORTEST) ? callsOfALease(debits) - 1
				: 0;
	}

	/**
	 * Keeps what was taken.
	 * @param decision of the last call whose permits were charged
	 * @param admitted for how many calls permits were charged
	 * @param left for how many of these they are left
	 * @param asked when Redis was asked, as {@link System#nanoTime} has it
	 */
	void keep(List<Debit> debits, Decision decision, long admitted, long left, long asked) {
		Lease other = this.places.get(debits.get(0));
		if (other == null || other.debits.equals(debits) || other.isOver(this.nanoClock.getAsLong())) {
			this.places.put(debits.get(0), new Lease(debits, decision, admitted, left, asked));
		}
	}

	/** Loses what was taken, as Redis forgets that it was. */
	void forget(List<Debit> debits) {
		this.places.removeIf((lease) -> lease.isOf(debits));
	}

	private @Nullable Lease lease(List<Debit> debits) {
		Lease lease = this.places.get(debits.get(0));
		return (lease != null && lease.debits.equals(debits)) ? lease : null;
	}

	private static long callsOfALease(List<Debit> debits) {
		long calls = Long.MAX_VALUE;
		for (int i = 0; i < debits.size(); i++) {
			Debit debit = debits.get(i);
			calls = Math.min(calls, debit.clause().lease() / Math.max(1, debit.cost()));
		}
		return (calls > 1 && Coalescer.isImmediate(debits)) ? calls : 0;
	}

	private static final class Lease {

		private final List<Debit> debits;

		private final Decision decision;

		private final AtomicLong calls;

		private final long asked;

		private final long holds;

		Lease(List<Debit> debits, Decision decision, long admitted, long left, long asked) {
			this.debits = debits;
			this.decision = decision;
			this.calls = new AtomicLong(left);
			this.asked = asked;
			this.holds = lasts(admitted, asked);
		}

		boolean isOver(long now) {
			return this.calls.get() <= 0 || now - this.asked >= this.holds;
		}

		/** Nanoseconds from now on for which permits of so many calls may be spent. */
		long lasts(long calls, long now) {
			long micros = Long.MAX_VALUE;
			for (int i = 0; i < this.debits.size(); i++) {
				Debit debit = this.debits.get(i);
				micros = Math.min(micros,
						debit.clause()
							.limit()
							.formula()
							.leaseTime(calls * debit.cost(), this.decision.limits().get(i).resetAfterMicros()));
			}
			return TimeUnit.MICROSECONDS.toNanos(micros) - (now - this.asked);
		}

		boolean isOf(List<Debit> counts) {
			return counts.stream().anyMatch((count) -> this.debits.stream().anyMatch((debit) -> isOne(debit, count)));
		}

		private static boolean isOne(Debit debit, Debit count) {
			Clause clause = debit.clause();
			return debit.key().equals(count.key()) && clause.bucket().equals(count.clause().bucket());
		}

	}

}
