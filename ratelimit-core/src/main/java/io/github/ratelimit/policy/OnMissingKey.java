package io.github.ratelimit.policy;

import io.github.ratelimit.MissingKeyException;

/**
 * The fate of a call for which no key of a policy resolves.
 */
public enum OnMissingKey {

	/** All such calls share one count. */
	SHARED,

	/** The policy does not limit the call; others still do. */
	SKIP,

	/** The call ends in a {@link MissingKeyException}, and nothing is charged. */
	DENY

}
