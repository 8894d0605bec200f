package io.github.ratelimit.decision;

import java.util.List;
import java.util.Objects;

import io.github.ratelimit.algorithm.LongFormula;

/**
 * A decision on one call: all of its limits decided together, at one instant of the
 * store's clock. If it is denied, nothing was charged. Immutable.
 */
public abstract sealed class Decision permits Decision.OfLimits, Decision.OfOneLimit, DecisionOfSeveral {

	/** The decision if no limit applies: the call may proceed. */
	public static final Decision UNLIMITED = Decision.of(0, List.of());

	private final long storeTimeMicros;

	Decision(long storeTimeMicros) {
		this.storeTimeMicros = storeTimeMicros;
	}

	/**
	 * Creates a decision.
	 * @param storeTimeMicros the time of the decision, in microseconds since 1970
	 * @param limits the decision of each limit
	 * @param shadows the decision of each limit in shadow
	 * @return the decision
	 */
	public static Decision of(long storeTimeMicros, List<LimitDecision> limits, List<LimitDecision> shadows) {
		return new OfLimits(storeTimeMicros, List.copyOf(limits), List.copyOf(shadows), List.of(), List.of());
	}

	/**
	 * Creates a decision of a single limit.
	 * @param storeTimeMicros the time of the decision, in microseconds since 1970
	 * @param requested the limit and how it was requested
	 * @param waitMicros microseconds until the request fits
	 * @param remaining permits that are left, the reserve included
	 * @param resetMicros microseconds until the limit is as if never charged
	 * @return the decision
	 */
	public static Decision of(long storeTimeMicros, RequestedLimit requested, long waitMicros, long remaining,
			long resetMicros) {
		return new OfOneLimit(storeTimeMicros, requested, waitMicros, remaining, resetMicros);
	}

	/**
	 * Creates a decision of a single limit that computes what is left when that is read.
	 * @param storeTimeMicros the time of the decision, in microseconds since 1970
	 * @param requested the limit and how it was requested
	 * @param waitMicros microseconds until the request fits
	 * @param number the number after the decision
	 * @param time the time of the decision as the limit's {@link LongFormula} counts it
	 * @return the decision
	 */
	public static Decision ofNumber(long storeTimeMicros, RequestedLimit requested, long waitMicros, long number,
			long time) {
		return new OfOneNumber(storeTimeMicros, requested, waitMicros, number, time);
	}

	/**
	 * Creates a decision without limits in shadow.
	 * @param storeTimeMicros the time of the decision, in microseconds since 1970
	 * @param limits the decision of each limit
	 * @return the decision
	 */
	public static Decision of(long storeTimeMicros, List<LimitDecision> limits) {
		return of(storeTimeMicros, limits, List.of());
	}

	/**
	 * Returns the time of the decision, by the store's clock.
	 * @return microseconds since 1970; 0 if no limit applied
	 */
	public final long storeTimeMicros() {
		return this.storeTimeMicros;
	}

	/**
	 * Returns the time at which one limit was decided, as the nodes of a cluster decide
	 * by their own clocks.
	 * @param index the index of the limit among {@link #limits()}, which
	 * {@link #shadows()} follow
	 * @return microseconds since 1970
	 */
	public long storeTimeMicros(int index) {
		return this.storeTimeMicros;
	}

	/**
	 * Returns the time at which one limit counts the permits of an admitted call.
	 * @param index the index of the limit among {@link #limits()}, which
	 * {@link #shadows()} follow
	 * @return microseconds since 1970
	 */
	public long turnMicros(int index) {
		int before = limits().size();
		LimitDecision limit = (index < before) ? limits().get(index) : shadows().get(index - before);
		return limit.limit().formula().turn(storeTimeMicros(index), limit.waitMicros(), waitMicros());
	}

	/**
	 * Returns this decision with the times of each limit, for stores.
	 * @param times when it was decided, in microseconds since 1970, in the order of
	 * {@link #limits()}, which {@link #shadows()} follow
	 * @param turns when it counts the permits, in the same order
	 * @return an equal decision
	 */
	public final Decision decidedAt(List<Long> times, List<Long> turns) {
		return new OfLimits(this.storeTimeMicros, limits(), shadows(), times, turns);
	}

	/**
	 * Returns the decision of each limit.
	 * @return in the order of the call's charges and of each policy's limits
	 */
	public abstract List<LimitDecision> limits();

	/**
	 * Returns the decision of each limit in shadow, which has no effect.
	 * @return in the same order
	 */
	public abstract List<LimitDecision> shadows();

	/**
	 * Returns whether every limit had room, so that the cost was charged to each.
	 * @return whether the call may proceed
	 */
	public boolean allowed() {
		for (LimitDecision limit : limits()) {
			if (!limit.allowed()) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Returns whether a limit had no room for a charge. Another key of the same policy
	 * may have denied the call instead.
	 * @param policy the name of the charge's policy
	 * @param key the charge's key
	 * @return whether the charge was denied
	 */
	public boolean isDeniedBy(String policy, String key) {
		return isAnyDenied(limits(), policy, key);
	}

	/**
	 * Returns whether a limit in shadow had no room for a charge.
	 * @param policy the name of the charge's policy
	 * @param key the charge's key
	 * @return whether the charge would have been denied
	 */
	public boolean isShadowDeniedBy(String policy, String key) {
		return isAnyDenied(shadows(), policy, key);
	}

	/**
	 * Returns whether a limit in shadow had no room for a charge by any key.
	 * @param policy the name of the policy
	 * @return whether the policy would have denied the call
	 */
	public boolean isShadowDeniedBy(String policy) {
		for (LimitDecision limit : shadows()) {
			if (!limit.allowed() && limit.policy().equals(policy)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isAnyDenied(List<LimitDecision> limits, String policy, String key) {
		for (LimitDecision limit : limits) {
			if (!limit.allowed() && limit.isOf(policy, key)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns the time until the call would be admitted, if nothing else is charged
	 * meanwhile. Limits on concurrency count as
	 * {@linkplain LimitDecision#tryAgainAfterMicros worth another try} within a second.
	 * @return microseconds; 0 if it was allowed
	 */
	public long retryAfterMicros() {
		long longest = 0;
		for (LimitDecision limit : limits()) {
			longest = Math.max(longest, limit.tryAgainAfterMicros());
		}
		return longest;
	}

	/**
	 * Returns how long the call has to wait for its turn before it proceeds. The turn is
	 * reserved for it.
	 * @return microseconds; 0 if it need not wait, or was denied
	 */
	public long waitMicros() {
		long longest = 0;
		for (LimitDecision limit : limits()) {
			longest = Math.max(longest, limit.waitMicros());
		}
		return allowed() ? longest : 0;
	}

	static LimitDecision decideByNumber(RequestedLimit limit, long wait, long number, long time) {
		LongFormula formula = Objects.requireNonNull(limit.limit().longFormula());
		return limit.decide(wait, formula.remaining(number, time), formula.resetAfter(number, time));
	}

	@Override
	public final boolean equals(Object other) {
		return other instanceof Decision that && this.storeTimeMicros == that.storeTimeMicros
				&& limits().equals(that.limits()) && shadows().equals(that.shadows());
	}

	@Override
	public final int hashCode() {
		return Objects.hash(this.storeTimeMicros, limits(), shadows());
	}

	@Override
	public final String toString() {
		return "Decision[storeTimeMicros=" + this.storeTimeMicros + ", limits=" + limits() + ", shadows=" + shadows()
				+ ']';
	}

	/** A decision that keeps the decisions of its limits. */
	static final class OfLimits extends Decision {

		private final List<LimitDecision> limits;

		private final List<LimitDecision> shadows;

		/** The time of each limit; empty if all were decided at one. */
		private final List<Long> times;

		/** The time at which each limit counts; empty if all were decided at one. */
		private final List<Long> turns;

		OfLimits(long storeTimeMicros, List<LimitDecision> limits, List<LimitDecision> shadows, List<Long> times,
				List<Long> turns) {
			super(storeTimeMicros);
			this.limits = limits;
			this.shadows = shadows;
			this.times = List.copyOf(times);
			this.turns = List.copyOf(turns);
		}

		@Override
		public long storeTimeMicros(int index) {
			return this.times.isEmpty() ? storeTimeMicros() : this.times.get(index);
		}

		@Override
		public long turnMicros(int index) {
			return this.turns.isEmpty() ? super.turnMicros(index) : this.turns.get(index);
		}

		@Override
		public List<LimitDecision> limits() {
			return this.limits;
		}

		@Override
		public List<LimitDecision> shadows() {
			return this.shadows;
		}

	}

	/**
	 * A decision of one limit, the usual case, in as little memory as possible. It
	 * creates the limit's decision when that is read.
	 */
	static sealed class OfOneLimit extends Decision {

		private final RequestedLimit requested;

		private final long wait;

		private final long remaining;

		private final long reset;

		OfOneLimit(long storeTimeMicros, RequestedLimit requested, long wait, long remaining, long reset) {
			super(storeTimeMicros);
			this.requested = requested;
			this.wait = wait;
			this.remaining = remaining;
			this.reset = reset;
		}

		@Override
		public List<LimitDecision> limits() {
			return this.requested.shadow() ? List.of() : onlyLimit();
		}

		@Override
		public List<LimitDecision> shadows() {
			return this.requested.shadow() ? onlyLimit() : List.of();
		}

		private List<LimitDecision> onlyLimit() {
			return List.of(decide(this.requested, this.wait, this.remaining, this.reset));
		}

		LimitDecision decide(RequestedLimit requested, long wait, long remaining, long reset) {
			return requested.decide(wait, remaining, reset);
		}

		@Override
		public boolean allowed() {
			return this.requested.shadow() || this.wait <= this.requested.maxWaitMicros();
		}

		@Override
		public long retryAfterMicros() {
			return allowed() ? 0 : this.requested.limit().isConcurrency() ? super.retryAfterMicros()
					: this.wait - this.requested.maxWaitMicros();
		}

		@Override
		public long waitMicros() {
			return (allowed() && !this.requested.shadow()) ? this.wait : 0;
		}

	}

	/** A decision that keeps number and time, and computes what is left when read. */
	private static final class OfOneNumber extends OfOneLimit {

		OfOneNumber(long storeTimeMicros, RequestedLimit requested, long wait, long number, long time) {
			super(storeTimeMicros, requested, wait, number, time);
		}

		@Override
		LimitDecision decide(RequestedLimit requested, long wait, long number, long time) {
			return decideByNumber(requested, wait, number, time);
		}

	}

}
