package io.github.ratelimit.store;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.RequestedLimit;

/**
 * A request for permits of one limit.
 *
 * @param policyLimit the limit
 * @param key the key that is charged, of any length and content
 * @param cost permits, at least 0; together with the reserve, at most the limit's burst
 * @param maxWaitMicros how long an acquiring call may wait for its turn, in microseconds,
 * at least 0 and at most what the limit's formula can count
 * @param chargedAtMicros when permits to be refunded or renewed were charged, by the
 * store's clock; 0 for other operations
 * @param turnMicros when these permits began to count, or will; 0 for other operations
 */
public record PermitRequest(PolicyLimit policyLimit, String key, long cost, long maxWaitMicros, long chargedAtMicros,
		long turnMicros) implements RequestedLimit {

	/**
	 * Creates a request to acquire, peek, charge or reset.
	 * @param policyLimit the limit
	 * @param key the key that is charged
	 * @param cost permits
	 * @param maxWaitMicros how long the call may wait, in microseconds
	 */
	public PermitRequest(PolicyLimit policyLimit, String key, long cost, long maxWaitMicros) {
		this(policyLimit, key, cost, maxWaitMicros, 0, 0);
	}

	/**
	 * Creates a request to refund or renew permits of this one that did not wait.
	 * @param permits the permits to refund or renew
	 * @param chargedAtMicros when they were charged, by the store's clock
	 * @return the request
	 */
	public PermitRequest refund(long permits, long chargedAtMicros) {
		return refund(permits, chargedAtMicros, chargedAtMicros);
	}

	/**
	 * Creates a request to refund permits of this one.
	 * @param permits the permits to refund
	 * @param chargedAtMicros when they were charged, by the store's clock
	 * @param turnMicros when their limit counts them, by the same clock
	 * @return the request
	 */
	public PermitRequest refund(long permits, long chargedAtMicros, long turnMicros) {
		return new PermitRequest(this.policyLimit, this.key, permits, 0, chargedAtMicros, turnMicros);
	}

	/**
	 * Returns this request with another cost.
	 * @param cost permits
	 * @return the request
	 */
	public PermitRequest costing(long cost) {
		return new PermitRequest(this.policyLimit, this.key, cost, this.maxWaitMicros, this.chargedAtMicros,
				this.turnMicros);
	}

	@Override
	public String policy() {
		return this.policyLimit.policy();
	}

	@Override
	public Limit limit() {
		return this.policyLimit.limit();
	}

	@Override
	public long reserve() {
		return this.policyLimit.reserve();
	}

	@Override
	public boolean shadow() {
		return this.policyLimit.shadow();
	}

	@Override
	public boolean hidden() {
		return this.policyLimit.hidden();
	}

	/**
	 * Returns the permits that must be available.
	 * @return the cost and the reserve
	 */
	public long required() {
		return this.cost + this.policyLimit.reserve();
	}

	/**
	 * Returns whether another request is for the same counter and key.
	 * @param other another request
	 * @return whether counter and key are equal
	 */
	public boolean sharesKeyWith(PermitRequest other) {
		return this.key.equals(other.key) && this.policyLimit.counter().equals(other.policyLimit.counter());
	}

	/**
	 * Returns whether another request is for the same count.
	 * @param other another request
	 * @return whether counter, key, period and position are equal
	 */
	public boolean sharesCountWith(PermitRequest other) {
		return this.policyLimit.position() == other.policyLimit.position()
				&& limit().periodMicros() == other.limit().periodMicros() && sharesKeyWith(other);
	}

}
