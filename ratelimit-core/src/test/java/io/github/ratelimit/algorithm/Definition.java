package io.github.ratelimit.algorithm;

import java.util.function.LongPredicate;

import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;

/**
 * An algorithm by its definition, against which its fast forms are held: it says whether
 * a cost is admitted at a time, in exact numbers and without any thought of speed. What a
 * decision tells beside that is found by trying.
 */
public abstract class Definition {

	private long began;

	private long changedAt;

	private long resetAt;

	private long ahead;

	/**
	 * The definition of a limit's algorithm.
	 * @param limit the limit
	 * @return a definition for a key that was never charged
	 */
	public static Definition of(Limit limit) {
		return switch (limit.algorithm()) {
			case TOKEN_BUCKET, LEAKY_BUCKET -> new TokenBucketDefinition(limit);
			case FIXED_WINDOW -> new FixedWindowDefinition(limit);
			case SLIDING_WINDOW_COUNTER -> new SlidingWindowCounterDefinition(limit);
			case SLIDING_WINDOW_LOG -> new SlidingWindowLogDefinition(limit);
		};
	}

	/**
	 * Carries out an operation.
	 * @param operation what to do
	 * @param debit on what
	 * @param clock the time of the clock in microseconds
	 * @return the decision by the definition
	 */
	public final LimitDecision execute(Operation operation, Debit debit, long clock) {
		if (operation == Operation.RESET) {
			begin(clock);
		}
		long now = time(clock);
		boolean asks = operation == Operation.ACQUIRE || operation == Operation.PEEK;
		long wait = asks ? first((time) -> admits(time, debit.asked()), now) - now : 0;
		boolean charged = operation == Operation.CHARGE || (operation == Operation.ACQUIRE && wait <= debit.patience());
		if (charged && debit.cost() > 0) {
			charge(now, now + wait, debit.cost());
			changed(now);
		}
		if (operation == Operation.GIVE_BACK) {
			if (debit.time() >= this.began) {
				giveBack(now, debit.cost(), debit.time());
			}
			changed(now);
		}
		long remaining = first((more) -> !admits(now, more), 1) - 1;
		return debit.decision(wait, remaining, first((time) -> isAsNew(now, time), now) - now);
	}

	/**
	 * The time that counts never steps back: where the clock does, time goes on from when
	 * anything last changed. When nothing is spent, it is the clock's again.
	 */
	private long time(long clock) {
		boolean stepped = !followsCalendar() && clock + this.ahead < this.changedAt;
		this.ahead = stepped ? this.changedAt - clock : this.ahead;
		long now = clock + this.ahead;
		if (now >= this.resetAt) {
			begin(clock);
			return clock;
		}
		if (adopt(now)) {
			this.began = now;
			changed(now);
		}
		else if (stepped) {
			changed(now);
		}
		this.began = Math.min(this.began, now);
		return now;
	}

	private void changed(long now) {
		this.changedAt = now;
		this.resetAt = first((time) -> isAsNew(now, time), now);
	}

	private void begin(long clock) {
		clear();
		this.began = clock;
		this.ahead = 0;
		this.changedAt = clock;
		this.resetAt = clock;
	}

	boolean followsCalendar() {
		return false;
	}

	/** Takes a window that ends too late for the one of now; answers whether it did. */
	boolean adopt(long now) {
		return false;
	}

	/** Whether a cost is admitted at a time, and so it is from then on. */
	abstract boolean admits(long time, long cost);

	/** Charges for a time, or behind what is charged for later already. */
	abstract void charge(long now, long time, long cost);

	abstract void giveBack(long now, long cost, long place);

	/** Whether, as seen from now, nothing is spent at a time. */
	abstract boolean isAsNew(long now, long time);

	/** Forgets everything. */
	abstract void clear();

	/** The first number from a start on of which something is true, and stays so. */
	private static long first(LongPredicate isTrue, long start) {
		if (isTrue.test(start)) {
			return start;
		}
		long step = 1;
		while (!isTrue.test(start + step)) {
			step *= 2;
		}
		long no = start + step / 2;
		long yes = start + step;
		while (yes - no > 1) {
			long middle = no + (yes - no) / 2;
			if (isTrue.test(middle)) {
				yes = middle;
			}
			else {
				no = middle;
			}
		}
		return yes;
	}

}
