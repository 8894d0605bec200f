package io.github.ratelimit.store;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A charge of a policy and key whose reservation was detached from the call that made it,
 * to be settled by any process.
 *
 * @param policy the name of the policy
 * @param key the key that is charged; in a process that reads the charge from a shared
 * store, what the store keeps instead of the key
 * @param notified the key by which listeners were notified of the charge; in a process
 * that reads the charge from a shared store, its digest; {@code null} if they were not
 * @param charges the charges of the call that it consists of, at least 1
 * @param cost their cost as charged, together
 * @param charged the cost at which the call was admitted, of all its charges of the
 * policy and key
 * @param current that cost as corrected so far
 * @param permits the permits that each limit has charged, with the times when it charged
 * them and from which it counts them; empty if no limit applied
 */
public record DetachedCharge(String policy, String key, @Nullable String notified, int charges, long cost, long charged,
		long current, List<PermitRequest> permits) {

	/**
	 * Returns the name under which the counts are kept.
	 * @return the counter of the limits, or else the policy's name
	 */
	public String counter() {
		return this.permits.isEmpty() ? this.policy : this.permits.get(0).policyLimit().counter();
	}

	/**
	 * Returns the request that corrects the counts to an actual cost: refunds the
	 * difference if that is lower, or charges it now.
	 * @param actual permits that the charges actually cost, together; 0 to refund them
	 * @return the request, which has no permits if there is nothing to correct
	 */
	public StoreRequest correctedTo(long actual) {
		long difference = actual - this.cost;
		CostChange change = new CostChange(this.charged, this.current, this.current + difference);
		return new StoreRequest((difference < 0) ? StoreOperation.REFUND : StoreOperation.CHARGE,
				this.permits.stream()
					.map((permit) -> permit.costing(change.correction(permit)))
					.filter((permit) -> permit.cost() > 0)
					.toList());
	}

}
