package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.LimitDecision;

/**
 * What a call asks of one limit.
 *
 * @param clause the limit
 * @param key who is charged, of any length and content
 * @param cost permits, at least 0; with the clause's reserve, at most what the limit can
 * ever admit
 * @param time to acquire or peek, how long the call is willing to wait, or, in shadow,
 * {@code -1} less that; to give back, when the permits were charged; in microseconds
 */
public record Debit(Clause clause, String key, long cost, long time) {

	/**
	 * What a call asks of a limit that denies nothing: it is charged if it fits and the
	 * call is admitted.
	 * @param clause the limit
	 * @param key who is charged
	 * @param cost permits
	 * @param wait how long the call is willing to wait, in microseconds
	 * @return a debit to acquire or peek
	 */
	public static Debit inShadow(Clause clause, String key, long cost, long wait) {
		return new Debit(clause, key, cost, -1 - wait);
	}

	/**
	 * Whether the debit, to acquire or peek, denies nothing.
	 * @return whether it is in shadow
	 */
	public boolean isInShadow() {
		return this.time < 0;
	}

	/**
	 * How long the call is willing to wait.
	 * @return microseconds, at least 0
	 */
	public long patience() {
		return (this.time < 0) ? -1 - this.time : this.time;
	}

	/**
	 * What has to fit.
	 * @return the cost and the reserve
	 */
	public long asked() {
		return this.cost + this.clause.reserve();
	}

	/**
	 * What the limit says to this debit, for stores.
	 * @param wait microseconds until the debit gets its place
	 * @param remaining permits that are left, the reserve among them
	 * @param reset microseconds until the limit is as if never charged
	 * @return the decision on this limit alone
	 */
	public LimitDecision decision(long wait, long remaining, long reset) {
		long late = Math.max(0, wait - patience());
		return new LimitDecision(this.clause.policy(), this.clause.limit(),
				Math.max(0, remaining - this.clause.reserve()), late, reset, (late == 0) ? wait : 0);
	}

	/**
	 * What the limit says where it is the only one of a call, for stores.
	 * @param storeTimeMicros the store's time
	 * @param wait as for {@link #decision(long, long, long)}
	 * @param remaining as there
	 * @param reset as there
	 * @return the decision on the call
	 */
	public Decision decisionAlone(long storeTimeMicros, long wait, long remaining, long reset) {
		return new SingleDecision(storeTimeMicros, this, wait, remaining, reset);
	}

	/**
	 * What the limits say together, for stores.
	 * @param storeTimeMicros the store's time
	 * @param debits what was asked
	 * @param limits what each limit said, in the order of the debits
	 * @return the decision on the call
	 */
	public static Decision decision(long storeTimeMicros, List<Debit> debits, List<LimitDecision> limits) {
		List<LimitDecision> enforced = new ArrayList<>(limits.size());
		List<LimitDecision> inShadow = new ArrayList<>();
		for (int i = 0; i < limits.size(); i++) {
			(debits.get(i).isInShadow() ? inShadow : enforced).add(limits.get(i));
		}
		return Decision.of(storeTimeMicros, enforced, inShadow);
	}

}
