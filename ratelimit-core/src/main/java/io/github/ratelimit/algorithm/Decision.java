package io.github.ratelimit.algorithm;

import java.util.List;
import java.util.Objects;

/**
 * The answer to one call: all of its limits decided together, at one instant of the
 * store's clock. If it is denied, nothing was charged. Immutable.
 */
public sealed class Decision permits SingleDecision {

	/** The answer where no limit was asked: the call may proceed. */
	public static final Decision UNLIMITED = new Decision(0, List.of());

	private final long storeTimeMicros;

	private final List<LimitDecision> limits;

	private final List<LimitDecision> shadows;

	/**
	 * A decision.
	 * @param storeTimeMicros when it was decided
	 * @param limits what each limit said
	 * @param shadows what each limit in shadow said
	 */
	public Decision(long storeTimeMicros, List<LimitDecision> limits, List<LimitDecision> shadows) {
		this.storeTimeMicros = storeTimeMicros;
		this.limits = List.copyOf(limits);
		this.shadows = List.copyOf(shadows);
	}

	/**
	 * A decision without limits in shadow.
	 * @param storeTimeMicros when it was decided
	 * @param limits what each limit said
	 */
	public Decision(long storeTimeMicros, List<LimitDecision> limits) {
		this(storeTimeMicros, limits, List.of());
	}

	/** One that knows by itself what its limit said. */
	Decision(long storeTimeMicros) {
		this.storeTimeMicros = storeTimeMicros;
		this.limits = List.of();
		this.shadows = List.of();
	}

	/**
	 * A decision of one limit, in less memory than with lists.
	 * @param storeTimeMicros when it was decided
	 * @param limit what the limit said
	 * @return the decision
	 */
	public static Decision of(long storeTimeMicros, LimitDecision limit) {
		return new SingleDecision(storeTimeMicros, limit);
	}

	/**
	 * When it was decided, by the store's clock.
	 * @return microseconds since 1970; 0 where no limit was asked
	 */
	public long storeTimeMicros() {
		return this.storeTimeMicros;
	}

	/**
	 * What each limit said.
	 * @return in the order of the call's charges and of each policy's limits
	 */
	public List<LimitDecision> limits() {
		return this.limits;
	}

	/**
	 * What each limit in shadow said, which decides nothing.
	 * @return in the same order
	 */
	public List<LimitDecision> shadows() {
		return this.shadows;
	}

	/**
	 * Whether every limit had room, and so the cost was charged to each.
	 * @return whether the call may proceed
	 */
	public boolean allowed() {
		for (LimitDecision limit : this.limits) {
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
		for (LimitDecision limit : this.limits) {
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
		for (LimitDecision limit : this.limits) {
			longest = Math.max(longest, limit.waitMicros());
		}
		return allowed() ? longest : 0;
	}

	@Override
	public final boolean equals(Object other) {
		return other instanceof Decision that && this.storeTimeMicros == that.storeTimeMicros
				&& limits().equals(that.limits()) && this.shadows.equals(that.shadows);
	}

	@Override
	public final int hashCode() {
		return Objects.hash(this.storeTimeMicros, limits(), this.shadows);
	}

	@Override
	public final String toString() {
		return "Decision[storeTimeMicros=" + this.storeTimeMicros + ", limits=" + limits() + ", shadows=" + this.shadows
				+ ']';
	}

}
