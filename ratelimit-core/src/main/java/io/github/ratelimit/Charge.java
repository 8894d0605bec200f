package io.github.ratelimit;

/**
 * What a call asks the limiter for: one policy, one key, one cost.
 *
 * @param policy the policy's name
 * @param key who is charged; any text, which is hashed before it leaves the process
 * @param cost permits to spend, at least 0; 0 asks without charging
 */
public record Charge(String policy, String key, long cost) {

	public Charge {
		if (cost < 0) {
			throw new IllegalArgumentException("'cost' must not be negative, was " + cost);
		}
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

	Charge plus(Charge other) {
		return new Charge(this.policy, this.key, Math.addExact(this.cost, other.cost));
	}

}
