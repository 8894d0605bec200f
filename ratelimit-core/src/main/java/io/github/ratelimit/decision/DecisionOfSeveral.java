package io.github.ratelimit.decision;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A decision of several limits, in as little memory as possible. It creates the decisions
 * of the limits when they are read.
 */
sealed class DecisionOfSeveral extends Decision {

	private final List<? extends RequestedLimit> requested;

	private final long[] numbers;

	DecisionOfSeveral(long storeTimeMicros, List<? extends RequestedLimit> requested, long[] numbers) {
		super(storeTimeMicros);
		this.requested = requested;
		this.numbers = numbers;
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
