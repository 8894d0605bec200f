package io.github.ratelimit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a call asks the limiter for: one policy, one key, one cost.
 *
 * @param policy the policy's name
 * @param key who is charged; any text, which is hashed before it leaves the process
 * @param cost permits to spend, at least 0; 0 asks without charging
 * @param maxWait how long the call may wait in line for its permits, at most 366 days;
 * {@code null} for what the policy says
 * @param plan the name of the caller's plan; {@code null} or one that the policy does not
 * know for the policy's own limits
 * @param exempt whether the policy does not limit the caller: nothing is charged
 */
public record Charge(String policy, String key, long cost, @Nullable Duration maxWait, @Nullable String plan,
		boolean exempt) {

	public Charge {
		if (cost < 0) {
			throw new IllegalArgumentException("'cost' must not be negative, was " + cost);
		}
		if (maxWait != null) {
			Terms.requireWait(maxWait);
		}
	}

	/**
	 * A charge that waits for as long as its policy says.
	 * @param policy the policy's name
	 * @param key who is charged
	 * @param cost permits to spend, at least 0
	 */
	public Charge(String policy, String key, long cost) {
		this(policy, key, cost, null, null, false);
	}

	/**
	 * A charge of one permit.
	 * @param policy the policy's name
	 * @param key who is charged
	 * @return the charge
	 */
	public static Charge of(String policy, String key) {
		return new Charge(policy, key, 1);
	}

	/**
	 * What a caller is charged whom a policy does not limit: nothing.
	 * @param policy the policy's name
	 * @return the charge
	 */
	public static Charge exempt(String policy) {
		return new Charge(policy, "exempt", 0, null, null, true);
	}

	/**
	 * This charge with a wait of its own.
	 * @param maxWait how long the call may wait in line; zero denies it at once
	 * @return the charge
	 */
	public Charge waitingUpTo(Duration maxWait) {
		return new Charge(this.policy, this.key, this.cost, maxWait, this.plan, this.exempt);
	}

	/**
	 * This charge for a caller with a plan.
	 * @param plan the plan's name
	 * @return the charge
	 */
	public Charge withPlan(@Nullable String plan) {
		return (plan == null && this.plan == null) ? this
				: new Charge(this.policy, this.key, this.cost, this.maxWait, plan, this.exempt);
	}

	/** This charge with what its policy makes of the cost. */
	Charge costing(long cost) {
		return (cost == this.cost) ? this
				: new Charge(this.policy, this.key, cost, this.maxWait, this.plan, this.exempt);
	}

}
