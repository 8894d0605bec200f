package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import org.jspecify.annotations.Nullable;

/**
 * Permits of calls that ask the same, charged before the calls come. One without permits
 * says for how long its key is busy. Thread-safe.
 */
final class Lease {

	private final List<Debit> debits;

	private final Decision decision;

	private final AtomicLong calls;

	private final long askedAt;

	private final long validFor;

	private final AtomicBoolean renewed = new AtomicBoolean();

	/**
	 * A lease.
	 * @param debits what each of its calls asks
	 * @param decision of the last call whose permits were charged
	 * @param admitted for how many calls permits were charged
	 * @param left for how many of these they are left
	 * @param askedAt when Redis was asked, as {@link System#nanoTime} has it
	 */
	Lease(List<Debit> debits, Decision decision, long admitted, long left, long askedAt) {
		this.debits = debits;
		this.decision = decision;
		this.calls = new AtomicLong(left);
		this.askedAt = askedAt;
		this.validFor = lasts(admitted, askedAt);
	}

	Debit first() {
		return this.debits.get(0);
	}

	boolean isFor(List<Debit> debits) {
		return this.debits.equals(debits);
	}

	/** Spends the permits of a call. */
	@Nullable Decision trySpend(List<Debit> debits, long now) {
		long age = now - this.askedAt;
		long left = (age < this.validFor) ? this.calls.decrementAndGet() : -1;
		return (left >= 0) ? Later.decision(this.decision, age, debits, left) : null;
	}

	/** Claims the right to put another lease in the place of this one. */
	boolean tryRenew(long now) {
		return isOver(now) && this.renewed.compareAndSet(false, true);
	}

	boolean isBusy(long now, long shortest) {
		return lasts(0, now) >= shortest;
	}

	/**
	 * Takes what is unspent, as far as Redis counts it still. Permits count as charged at
	 * the last moment at which that makes no difference.
	 */
	List<Debit> takeUnspent(long now) {
		long left = this.calls.getAndSet(0);
		if (left <= 0 || lasts(0, now) <= 0) {
			return List.of();
		}
		long time = this.decision.storeTimeMicros()
				+ TimeUnit.NANOSECONDS.toMicros(Math.max(0, Math.min(now - this.askedAt, this.validFor)));
		return this.debits.stream()
			.map((debit) -> new Debit(debit.clause(), debit.key(), left * debit.cost(), time))
			.toList();
	}

	/** Whether a call that was denied had room if this lease were not. */
	boolean keepsFromRoom(List<Debit> debits, Decision denial) {
		if (isOfOtherLimits(debits)) {
			return false;
		}
		for (int i = 0; i < debits.size(); i++) {
			LimitDecision limit = denial.limits().get(i);
			if (!limit.allowed() && limit.remaining() + held(debits.get(i)) < debits.get(i).cost()) {
				return false;
			}
		}
		return true;
	}

	/** Whether one of the counts had another limit when this lease was taken. */
	boolean isOfOtherLimits(Lease other) {
		return isOfOtherLimits(other.debits);
	}

	private boolean isOfOtherLimits(List<Debit> counts) {
		return counts.stream()
			.anyMatch((count) -> this.debits.stream()
				.anyMatch((debit) -> isSame(debit, count) && !debit.clause().limit().equals(count.clause().limit())));
	}

	boolean isOfAny(List<Debit> counts) {
		return counts.stream().anyMatch((count) -> this.debits.stream().anyMatch((debit) -> isOne(debit, count)));
	}

	private boolean isOver(long now) {
		return this.calls.get() <= 0 || now - this.askedAt >= this.validFor;
	}

	/** Nanoseconds from now on for which permits of so many calls may be spent. */
	private long lasts(long calls, long now) {
		long micros = Long.MAX_VALUE;
		for (int i = 0; i < this.debits.size(); i++) {
			Debit debit = this.debits.get(i);
			micros = Math.min(micros,
					debit.clause()
						.limit()
						.formula()
						.leaseTime(calls * debit.cost(), this.decision.limits().get(i).resetAfterMicros()));
		}
		return TimeUnit.MICROSECONDS.toNanos(micros) - (now - this.askedAt);
	}

	private long held(Debit count) {
		long left = Math.max(0, this.calls.get());
		return this.debits.stream()
			.filter((debit) -> isSame(debit, count))
			.mapToLong((debit) -> left * debit.cost())
			.sum();
	}

	private static boolean isSame(Debit debit, Debit count) {
		return isOne(debit, count) && debit.clause().position() == count.clause().position();
	}

	private static boolean isOne(Debit debit, Debit count) {
		Clause clause = debit.clause();
		return debit.key().equals(count.key()) && clause.bucket().equals(count.clause().bucket());
	}

}
