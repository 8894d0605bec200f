package io.github.ratelimit;

/**
 * What becomes of a call for which no key of a policy has an answer.
 */
public enum MissingKey {

	/** All such calls share one count. */
	SHARED,

	/** The policy does not limit the call; others still do. */
	SKIP,

	/** The call ends in a {@link MissingKeyException}, and nothing is charged. */
	DENY

}
