package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Debit;
import org.jspecify.annotations.Nullable;

/**
 * A direct-mapped cache of the leases of busy keys. Calls spend them without a round
 * trip, for as long as it makes no difference when their permits were charged.
 *
 * <p>
 * No lease takes the slot of one with permits left. A run of the script prefetches
 * permits only if it has claimed the slot before, so one prefetch is in flight for a
 * slot, and its permits have a slot when they come. What is unspent when a lease ends is
 * refunded as far as Redis counts it still.
 */
final class Leases {

	private static final int SLOTS = 16_384;

	/** Keys that are busy for less than this have no lease. */
	private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(1);

	private final Places<Lease> slots = new Places<>(SLOTS);

	private final LongSupplier nanoClock;

	private final Function<List<Debit>, CompletableFuture<?>> refunds;

	private volatile boolean closed;

	/**
	 * An empty cache.
	 * @param nanoClock what {@link System#nanoTime} is
	 * @param refunds gives back permits that were charged, and does not block
	 */
	Leases(LongSupplier nanoClock, Function<List<Debit>, CompletableFuture<?>> refunds) {
		this.nanoClock = nanoClock;
		this.refunds = refunds;
	}

	/** Whether permits may be prefetched for such calls. */
	static boolean areFor(List<Debit> debits) {
		return callsOfALease(debits) > 1;
	}

	/** Returns for how many calls a run prefetches permits, next to those of its own. */
	static long prefetched(List<Debit> debits) {
		return callsOfALease(debits) - 1;
	}

	/** Spends what a call asks for, if it was charged in advance. */
	@Nullable Decision spend(List<Debit> debits) {
		Lease lease = areFor(debits) ? lease(debits) : null;
		return (lease != null) ? lease.trySpend(debits, this.nanoClock.getAsLong()) : null;
	}

	/**
	 * Claims the slot of a busy key for a prefetch, to be ended by {@link #keep} or
	 * {@link #abandon}.
	 * @return the lease to be renewed, which is over; {@code null} where nothing may be
	 * prefetched
	 */
	@Nullable Lease tryRenew(List<Debit> debits) {
		Lease latest = lease(debits);
		long now = this.nanoClock.getAsLong();
		if (latest == null || this.closed || !latest.isBusy(now, SHORTEST) || !latest.tryRenew(now)) {
			return null;
		}
		giveBack(latest);
		return latest;
	}

	/**
	 * Keeps a lease in the place of one that is over. One without permits is kept too, as
	 * it says for how long its key is busy. A lease from before the limit changed is
	 * lost: giving it back would bring the count under the former limit.
	 * @param renewed the lease that was claimed for it, without which it has no permits
	 */
	void keep(Lease lease, @Nullable Lease renewed) {
		Lease before = (renewed != null) ? renewed : this.slots.get(lease.first());
		boolean isOutdated = before != null && before.isOfOtherLimits(lease);
		boolean isFree = renewed != null || before == null || isOutdated || before.tryRenew(this.nanoClock.getAsLong());
		boolean isKept = isFree && this.slots.replace(lease.first(), before, lease);
		if (isKept && before != null && !isOutdated) {
			giveBack(before);
		}
		if (!isKept && this.closed) {
			giveBack(lease);
		}
	}

	/** Ends a prefetch that failed. The next run prefetches nothing. */
	void abandon(@Nullable Lease renewed) {
		if (renewed != null) {
			this.slots.replace(renewed.first(), renewed, null);
		}
	}

	/**
	 * Gives back what calls that ask something else hold of the same counts, where that
	 * makes room.
	 * @param debits what a call asks
	 * @param denial what Redis decided on it
	 * @return whether the call may have room now
	 */
	boolean tryMakeRoom(List<Debit> debits, Decision denial) {
		Lease lease = this.slots.get(debits.get(0));
		return lease != null && lease.isOfAny(debits) && !lease.isFor(debits) && lease.keepsFromRoom(debits, denial)
				&& giveBack(lease);
	}

	/** Loses the leases of counts that Redis forgets. */
	void forget(List<Debit> debits) {
		this.slots.removeIf((lease) -> lease.isOfAny(debits));
	}

	/**
	 * Gives back what is unspent, and waits for that. Nothing is prefetched afterwards.
	 */
	void close() {
		this.closed = true;
		CompletableFuture<?>[] refunds = this.slots.removeIf((lease) -> true)
			.stream()
			.map(this::refund)
			.filter((refund) -> refund != null)
			.toArray(CompletableFuture<?>[]::new);
		try {
			CompletableFuture.allOf(refunds).join();
		}
		catch (CompletionException ex) {
			// As in a crash: what Redis does not take back is lost
		}
	}

	/** Gives back what is unspent, and returns whether anything was. */
	private boolean giveBack(Lease lease) {
		CompletableFuture<?> refund = refund(lease);
		return refund != null;
	}

	private @Nullable CompletableFuture<?> refund(Lease lease) {
		List<Debit> unspent = lease.takeUnspent(this.nanoClock.getAsLong());
		return unspent.isEmpty() ? null : this.refunds.apply(unspent);
	}

	private @Nullable Lease lease(List<Debit> debits) {
		Lease lease = this.slots.get(debits.get(0));
		return (lease != null && lease.isFor(debits)) ? lease : null;
	}

	private static long callsOfALease(List<Debit> debits) {
		long calls = Long.MAX_VALUE;
		for (int i = 0; i < debits.size(); i++) {
			Debit debit = debits.get(i);
			calls = Math.min(calls, debit.clause().lease() / Math.max(1, debit.cost()));
		}
		return (calls > 1 && Coalescer.isImmediate(debits)) ? calls : 0;
	}

}
