package io.github.ratelimit.algorithm;

import java.util.List;
import java.util.Objects;

/**
 * The answer to one call: all of its limits decided together, at one instant of the
 * store's clock. If it is denied, nothing was charged. Immutable.
 */
public abstract class Decision {

	/** The answer where no limit was asked: the call may proceed. */
	public static final Decision UNLIMITED = Decision.of(0, List.of());

	private final long storeTimeMicros;

	/**
	 * A decision of a form of its own.
	 * @param storeTimeMicros when it was decided
	 */
	protected Decision(long storeTimeMicros) {
		this.storeTimeMicros = storeTimeMicros;
	}

	/**
	 * A decision.
	 * @param storeTimeMicros when it was decided
	 * @param limits what each limit said
	 * @param shadows what each limit in shadow said
	 * @return the decision
	 */
	public static Decision of(long storeTimeMicros, List<LimitDecision> limits, List<LimitDecision> shadows) {
		return new OfLimits(storeTimeMicros, List.copyOf(limits), List.copyOf(shadows));
	}

	/**
	 * A decision without limits in shadow.
	 * @param storeTimeMicros when it was decided
	 * @param limits what each limit said
	 * @return the decision
	 */
	public static Decision of(long storeTimeMicros, List<LimitDecision> limits) {
		return of(storeTimeMicros, limits, List.of());
	}

	/**
	 * When it was decided, by the store's clock.
	 * @return microseconds since 1970; 0 where no limit was asked
	 */
	public final long storeTimeMicros() {
		return this.storeTimeMicros;
	}

	/**
	 * What each limit said.
	 * @return in the order of the call's charges and of each policy's limits
	 */
	public abstract List<LimitDecision> limits();

	/**
	 * What each limit in shadow said, which decides nothing.
	 * @return in the same order
	 */
	public abstract List<LimitDecision> shadows();

	/**
	 * Whether every limit had room, and so the cost was charged to each.
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
	 * How long until the call would be admitted, if nothing else is charged meanwhile.
	 * @return microseconds; 0 if it was allowed
	 */
	public long retryAfterMicros() {
		long longest = 0;
		for (LimitDecision limit : limits()) {
			longest = Math.max(longest, limit.retryAfterMicros());
		}
		return longest;
	}

	/**
	 * How long the call has to wait for its place in line before it proceeds. The place
	 * is its own: nobody takes it meanwhile.
	 * @return microseconds; 0 if it need not wait, or was denied
	 */
	public long waitMicros() {
		long longest = 0;
		for (LimitDecision limit : limits()) {
			longest = Math.max(longest, limit.waitMicros());
		}
		return allowed() ? longest : 0;
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

	/** One that holds what its limits said. */
	private static final class OfLimits extends Decision {

		private final List<LimitDecision> limits;

		private final List<LimitDecision> shadows;

		OfLimits(long storeTimeMicros, List<LimitDecision> limits, List<LimitDecision> shadows) {
			super(storeTimeMicros);
			this.limits = limits;
			this.shadows = shadows;
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

}
