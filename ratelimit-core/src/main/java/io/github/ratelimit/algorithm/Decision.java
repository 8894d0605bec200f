package io.github.ratelimit.algorithm;

import java.util.List;

/**
 * The answer to one call: all of its limits decided together, at one instant of the
 * store's clock. If it is denied, nothing was charged.
 *
 * @param storeTimeMicros when it was decided, by the store's clock, in microseconds since
 * 1970; 0 where no limit was asked
 * @param limits what each limit said, in the order of the call's charges and of each
 * policy's limits
 * @param shadows what each limit in shadow said, which decides nothing, in the same order
 */
public record Decision(long storeTimeMicros, List<LimitDecision> limits, List<LimitDecision> shadows) {

	/** The answer where no limit was asked: the call may proceed. */
	public static final Decision UNLIMITED = new Decision(0, List.of());

	public Decision {
		limits = List.copyOf(limits);
		shadows = List.copyOf(shadows);
	}

	/**
	 * A decision without limits in shadow.
	 * @param storeTimeMicros when it was decided
	 * @param limits what each limit said
	 */
	public Decision(long storeTimeMicros, List<LimitDecision> limits) {
		this(storeTimeMicros, limits, List.of());
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

}
