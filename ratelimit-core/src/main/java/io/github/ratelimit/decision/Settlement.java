package io.github.ratelimit.decision;

import java.util.Collection;
import java.util.Collections;

/**
 * The outcome of settling a reservation by its token. Each charge of a reservation is
 * settled once at most, whichever process does it.
 */
public enum Settlement {

	/** The reservation was adjusted or refunded now. */
	SETTLED,

	/** It was settled before. Nothing changed now. */
	ALREADY_SETTLED,

	/**
	 * The time of the token is over. Nothing changed now; if it was asked for, the
	 * reservation is or will be refunded.
	 */
	EXPIRED,

	/**
	 * The store has no such reservation: it has lost it, or the token belongs to another
	 * store or was made up. Nothing changed now.
	 */
	UNKNOWN;

	/**
	 * Returns the settlement of a whole reservation. It is settled if any charge was
	 * settled now, as charges that were settled on their own no longer belong to it.
	 * @param charges the settlements of its charges, at least one
	 * @return the first of these in the order of the constants
	 */
	public static Settlement of(Collection<Settlement> charges) {
		return Collections.min(charges);
	}

}
