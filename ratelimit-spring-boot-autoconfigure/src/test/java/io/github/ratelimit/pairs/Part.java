package io.github.ratelimit.pairs;

/**
 * One of the charges of a request.
 *
 * @param policy the policy's name
 * @param key the key
 * @param source where it is declared
 */
record Part(String policy, String key, Source source) {

	/** The place where a charge is declared. */
	enum Source {

		METHOD, CLASS, RULE

	}

	/** Returns whether the policy is the one with the features of a row. */
	boolean isVaried() {
		return this.policy.equals("row");
	}

}
