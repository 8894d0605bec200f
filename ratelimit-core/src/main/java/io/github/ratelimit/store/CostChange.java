package io.github.ratelimit.store;

/**
 * A change of what a call costs in the limits of a policy and key.
 *
 * @param charged the cost at which the call was admitted
 * @param before the cost before the change
 * @param actual the cost after it
 */
public record CostChange(long charged, long before, long actual) {

	/**
	 * Returns by how much a limit has to be corrected. A limit in shadow was charged what
	 * it can ever admit, if that is less than the cost.
	 * @param permit the charge of the limit
	 * @return permits to refund if the cost became lower, or to charge
	 */
	public long correction(PermitRequest permit) {
		long most = (permit.shadow() && permit.cost() < this.charged) ? permit.cost() : Long.MAX_VALUE;
		return Math.abs(Math.min(this.actual, most) - Math.min(this.before, most));
	}

}
