package io.github.ratelimit.algorithm;

import java.util.function.LongPredicate;

/**
 * An algorithm by its definition, against which its fast forms are held: it says whether
 * a cost is admitted at a time, in exact numbers and without any thought of speed. What a
 * decision tells beside that is found by trying.
 */
public abstract class Definition {

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
	 * Charges a call or denies it. Only a charge changes anything, and a clock that steps
	 * back.
	 * @param policy the policy's name, for the answer
	 * @param limit the limit, for the answer
	 * @param now the current time in microseconds
	 * @param cost permits
	 * @return the decision by the definition
	 */
	public final LimitDecision acquire(String policy, Limit limit, long now, long cost) {
		rewind(now);
		long wait = first((time) -> admits(time, cost), now) - now;
		if (wait == 0 && cost > 0) {
			charge(now, cost);
		}
		long remaining = first((more) -> !admits(now, more), 1) - 1;
		return new LimitDecision(policy, limit, remaining, wait, first(this::isAsNew, now) - now);
	}

	abstract boolean admits(long time, long cost);

	abstract void charge(long now, long cost);

	abstract boolean isAsNew(long time);

	/** Takes notice of a clock that shows less than it did. */
	abstract void rewind(long now);

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
