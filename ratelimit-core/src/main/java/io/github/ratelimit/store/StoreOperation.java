package io.github.ratelimit.store;

/**
 * An operation of a store. Each is atomic, and reports the state of every limit.
 */
public enum StoreOperation {

	/**
	 * Charges every limit, or none if one cannot admit the request within its maximum
	 * wait. A limit in shadow never denies a request. It is charged if the request fits
	 * it and the others admit it.
	 */
	ACQUIRE,

	/** Decides as {@link #ACQUIRE} would, and charges nothing. */
	PEEK,

	/** Charges every limit now, whether or not the cost fits. */
	CHARGE,

	/**
	 * Refunds permits charged at a given time, as far as they still count as spent: the
	 * limit never has more room than without the charge.
	 */
	REFUND,

	/**
	 * Renews the leases of permits that calls hold, for limits on concurrency: permits
	 * charged at a given time become permits charged now, as far as they still exist. A
	 * limit allows the request if all of them did; permits whose lease has ended are
	 * lost.
	 */
	RENEW,

	/** Forgets everything that is spent. */
	RESET

}
