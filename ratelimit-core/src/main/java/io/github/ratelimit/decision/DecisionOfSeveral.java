package io.github.ratelimit.decision;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A decision of several limits, in as little memory as possible. It creates the decisions
 * of the limits when they are read. Immutable and thread-safe.
 */
public sealed class DecisionOfSeveral extends Decision {

	/** How many numbers a decision has for each limit. */
	public static final int NUMBERS = 3;

	private final List<? extends RequestedLimit> requested;

	private final long[] numbers;

	DecisionOfSeveral(long storeTimeMicros, List<? extends RequestedLimit> requested, long[] numbers) {
		super(storeTimeMicros);
		this.requested = requested;
		this.numbers = numbers;
	}

	/**
	 * Creates a decision of several limits that creates those of the limits when they are
	 * read.
	 * @param storeTimeMicros the time of the decision, in microseconds since 1970
	 * @param requested the limits and how they were requested
	 * @param numbers for each limit {@value #NUMBERS}: microseconds until the request
	 * fits, permits that are left, the reserve included, and microseconds until the limit
	 * is as if never charged
	 * @return the decision
	 */
	public static Decision of(long storeTimeMicros, List<? extends RequestedLimit> requested, long[] numbers) {
		return new DecisionOfSeveral(storeTimeMicros, requested, numbers);
	}

	/**
	 * Creates a decision of several limits that computes what is left when that is read.
	 * @param storeTimeMicros the time of the decision, in microseconds since 1970
	 * @param requested the limits and how they were requested
	 * @param numbers for each limit {@value #NUMBERS}: microseconds until the request
	 * fits, the number after the decision, and the time of the decision as the limit's
	 * {@link LongFormula} counts it
	 * @return the decision
	 */
	public static Decision ofNumbers(long storeTimeMicros, List<? extends RequestedLimit> requested, long[] numbers) {
		return new OfNumbers(storeTimeMicros, requested, numbers);
	}

	@Override
	public List<LimitDecision> limits() {
		return decisions(false);
	}

	@Override
	public List<LimitDecision> shadows() {
		return decisions(true);
	}

	private List<LimitDecision> decisions(boolean inShadow) {
		List<LimitDecision> decisions = new ArrayList<>(inShadow ? 0 : this.requested.size());
		for (int i = 0; i < this.requested.size(); i++) {
			RequestedLimit limit = this.requested.get(i);
			if (limit.shadow() == inShadow) {
				decisions.add(decide(limit, wait(i), this.numbers[NUMBERS * i + 1], this.numbers[NUMBERS * i + 2]));
			}
		}
		return Collections.unmodifiableList(decisions);
	}

	LimitDecision decide(RequestedLimit limit, long wait, long remaining, long reset) {
		return limit.decide(wait, remaining, reset);
	}

	@Override
	public boolean allowed() {
		for (int i = 0; i < this.requested.size(); i++) {
			RequestedLimit limit = this.requested.get(i);
			if (!limit.shadow() && wait(i) > limit.maxWaitMicros()) {
				return false;
			}
		}
		return true;
	}

	@Override
	public long waitMicros() {
		long longest = 0;
		for (int i = 0; i < this.requested.size(); i++) {
			longest = this.requested.get(i).shadow() ? longest : Math.max(longest, wait(i));
		}
		return (longest > 0 && allowed()) ? longest : 0;
	}

	private long wait(int index) {
		return this.numbers[NUMBERS * index];
	}

	/** A decision that keeps numbers and times, and computes what is left when read. */
	static final class OfNumbers extends DecisionOfSeveral {

		OfNumbers(long storeTimeMicros, List<? extends RequestedLimit> requested, long[] numbers) {
			super(storeTimeMicros, requested, numbers);
		}

		@Override
		LimitDecision decide(RequestedLimit limit, long wait, long number, long time) {
			return decideByNumber(limit, wait, number, time);
		}

	}

}
