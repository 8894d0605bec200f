package io.github.ratelimit.store;

/**
 * What a store does with debits. Each is atomic, and tells the state of every limit.
 */
public enum Operation {

	/**
	 * Charges every debit, or none where one neither fits nor gets its place within the
	 * time it is willing to wait. One in shadow is charged if it fits itself and the
	 * others do, and keeps none of them from it.
	 */
	ACQUIRE,

	/** Decides as {@link #ACQUIRE} would, and charges nothing. */
	PEEK,

	/** Charges every debit now, whether or not it fits. */
	CHARGE,

	/**
	 * Gives back what was charged at a time, as far as it is spent still: never more than
	 * if it had not been charged at all.
	 */
	GIVE_BACK,

	/** Forgets everything that is spent. */
	RESET

}
