package io.github.ratelimit.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * An algorithm bound to the numbers of one limit: exact arithmetic on a state. A state is
 * an array of longs. It begins with the spent amount and its unit; the rest is private to
 * the algorithm. Times are microseconds of one clock, which the store keeps from stepping
 * back.
 *
 * <p>
 * For stores that decide in Java. Immutable; the store guards its states.
 */
public interface Formula {

	/** The number of arguments of a Lua form. */
	int ARGUMENTS = 4;

	/** The index in a state of the spent amount, in parts of a permit. */
	int SPENT = 0;

	/** The index in a state of its parts per permit. */
	int UNIT = 1;

	/**
	 * Returns the Lua form. Only formulas of the same rule can read each other's states.
	 * @return the rule of the formula's {@link Algorithm}
	 */
	Rule rule();

	/**
	 * Returns whether time must be that of the clock even if the clock steps back, as for
	 * windows of the calendar.
	 * @return whether the formula tolerates a clock that steps back
	 */
	default boolean followsClock() {
		return false;
	}

	/**
	 * Returns the longest wait of a call that can still be counted.
	 * @return microseconds, at most {@link Bounds#LONGEST_WAIT}; 0 if no call has a turn
	 */
	default long longestWait() {
		return Bounds.LONGEST_WAIT;
	}

	/**
	 * Returns the arguments of the Lua form, in its order.
	 * @param now the current time
	 * @return {@value #ARGUMENTS} whole numbers up to {@link Bounds#LARGEST}, not to be
	 * changed
	 */
	long[] arguments(long now);

	/**
	 * Returns whether the {@linkplain #arguments arguments} are right only in some
	 * {@linkplain #spanOfArguments span of time}, as those of windows of the calendar.
	 * @return whether windows follow the calendar
	 */
	default boolean isOfCalendar() {
		return false;
	}

	/**
	 * Returns the span of time in which the arguments of a time are right.
	 * @param now the time
	 * @return the first time of the span, and that after its last
	 */
	default long[] spanOfArguments(long now) {
		return new long[] { 0, Long.MAX_VALUE };
	}

	/**
	 * Creates a state with permits spent now.
	 * @param spent whole permits, 0 for a key that was never charged
	 * @param now the current time
	 * @return a new state
	 */
	default long[] stateOf(long spent, long now) {
		return stateOf(spent, now, now);
	}

	/**
	 * Converts the count of a formula of another rule. Nothing of it is forgotten: it
	 * counts as spent now, or is refilled at this formula's rate from its last change.
	 * @param spent whole permits
	 * @param since the time of the last change; if it is in the future, calls wait until
	 * then, and nothing fits before
	 * @param now the current time
	 * @return a new state
	 */
	long[] stateOf(long spent, long since, long now);

	/**
	 * Reads a state of a formula of the same period. Spent permits stay spent, even
	 * beyond this formula's limit.
	 * @param writer the formula that stored the state
	 * @param state the state, left as it is
	 * @param now the current time
	 * @return the state as this formula stores it, which may be the same array, or
	 * {@code null} if only its {@link #permitsSpent} can be used
	 */
	long @Nullable [] read(Formula writer, long[] state, long now);

	/**
	 * Returns the time of the last turn, or of the last change if that is later.
	 * @param state the state, left as it is
	 * @param changedAt the time of the last change
	 * @return the later of both
	 */
	default long lastTurn(long[] state, long changedAt) {
		return changedAt;
	}

	/**
	 * Returns how long {@code cost} has to wait for its turn, behind all others that
	 * wait, if nothing is refunded meanwhile.
	 * @param state the state, left as it is
	 * @param now the current time
	 * @param cost at least 0 and at most what the limit can ever admit
	 * @return microseconds; 0 if it fits now
	 */
	long waitFor(long[] state, long now, long cost);

	/**
	 * Returns when the permits of a call with several limits count: for windows and logs,
	 * when it proceeds. From the turn of the limit alone on, they fit at any time.
	 * @param now the current time
	 * @param wait the wait for this limit
	 * @param latest the longest wait for any limit of the call
	 * @return the time, not before the turn of the limit alone
	 */
	default long turn(long now, long wait, long latest) {
		return now + wait;
	}

	/**
	 * Charges a cost at its turn, or now even if it does not fit. A cost of 0 only brings
	 * the state up to date.
	 * @param state the state to change
	 * @param now the current time
	 * @param cost at least 0
	 * @param wait the result of {@link #waitFor}, or the time until {@link #turn}, or 0
	 * to charge now regardless of what is spent
	 * @return the state to keep: the same, or a replacement
	 */
	long[] take(long[] state, long now, long cost, long wait);

	/**
	 * Shortens a state. The short state admits no call that the long one would deny, but
	 * may admit some later.
	 * @param state the state, left as it is; one that has grown
	 * @param length the most numbers it may have, at least those it had before
	 * @return the state to keep
	 */
	default long[] coarsened(long[] state, int length) {
		return state;
	}

	/**
	 * Returns whether a refund may change a state. Otherwise the state stays as it is,
	 * also for the limit that stored it.
	 * @param state the state, left as it is
	 * @param chargedAt the time of the charge
	 * @return whether the charge may be one of those in the state
	 */
	default boolean isRefundable(long[] state, long chargedAt) {
		return true;
	}

	/**
	 * Refunds a charge, as far as it still counts as spent: never more than if it had not
	 * been charged at all, and nothing charged before the state began.
	 * @param state the state to change
	 * @param now the current time
	 * @param cost permits, at most those charged
	 * @param chargedAt the time of the charge
	 * @param turn the time of its {@link #turn}, which may be in the future
	 * @return the state to keep: the same, or a replacement
	 */
	long[] refund(long[] state, long now, long cost, long chargedAt, long turn);

	/**
	 * Returns the permits that would be admitted now.
	 * @param state the state, left as it is
	 * @param now the current time
	 * @return whole permits, rounded down
	 */
	long remaining(long[] state, long now);

	/**
	 * Returns the time until the state is as if never charged.
	 * @param state the state, left as it is
	 * @param now the current time
	 * @return microseconds; 0 if it is so now
	 */
	long resetAfter(long[] state, long now);

	/**
	 * Returns for how long not even one permit is available.
	 * @param required permits, at least 1
	 * @param wait the result of {@link #waitFor} for these; 0 if they fit now
	 * @return microseconds, at most the wait; 0 if that is unknown
	 */
	default long fullFor(long required, long wait) {
		return (required == 1) ? wait : 0;
	}

	/**
	 * Returns whether permits may be prefetched.
	 * @return whether {@link #prefetchTime} may be above 0
	 */
	default boolean isPrefetchable() {
		return false;
	}

	/**
	 * Returns how long prefetched permits may be spent as if charged only then. This
	 * lasts until the state would be as if never charged without them. From then on,
	 * charging late would spend more than charging early.
	 * @param permits the permits charged
	 * @param resetAfter the result of {@link #resetAfter} at that time
	 * @return microseconds, at least 0
	 */
	default long prefetchTime(long permits, long resetAfter) {
		return 0;
	}

	/**
	 * Returns the same formula for counting without a lock.
	 * @return the formula on states of one number, or {@code null} if there is none
	 */
	default @Nullable LongFormula longFormula() {
		return null;
	}

	/**
	 * Returns the whole permits that a state of any algorithm has spent.
	 * @param state the state, left as it is
	 * @return permits, rounded up
	 */
	static long permitsSpent(long[] state) {
		return -Math.floorDiv(-state[SPENT], state[UNIT]);
	}

}
