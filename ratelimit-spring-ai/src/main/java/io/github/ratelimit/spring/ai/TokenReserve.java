package io.github.ratelimit.spring.ai;

/**
 * An estimate of the tokens that a call uses, which it reserves until they are known.
 *
 * @param kind how the tokens are estimated
 * @param tokens the tokens to reserve: always, or while nothing else is known
 */
public record TokenReserve(Kind kind, long tokens) {

	/**
	 * Creates a reserve.
	 * @param kind how the tokens are estimated
	 * @param tokens the tokens to reserve
	 * @throws IllegalArgumentException if the tokens are not positive
	 */
	public TokenReserve {
		if (tokens < 1) {
			throw new IllegalArgumentException("the tokens to reserve must be at least 1, were " + tokens);
		}
	}

	/**
	 * Reserves the same number of tokens for each call.
	 * @param tokens the tokens, at least 1
	 * @return the reserve
	 */
	public static TokenReserve fixed(long tokens) {
		return new TokenReserve(Kind.FIXED, tokens);
	}

	/**
	 * Reserves what a call can use at most: the largest number of tokens that its prompt
	 * can have, and the maximum of its options.
	 * @param withoutMaximum the tokens of a completion whose options have no maximum, at
	 * least 1
	 * @return the reserve
	 */
	public static TokenReserve maxTokens(long withoutMaximum) {
		return new TokenReserve(Kind.MAX_TOKENS, withoutMaximum);
	}

	/**
	 * Reserves what 95 percent of the caller's recent calls used at most.
	 * @param initially the tokens of a caller's calls before any has ended, at least 1
	 * @return the reserve
	 */
	public static TokenReserve p95(long initially) {
		return new TokenReserve(Kind.P95, initially);
	}

	/**
	 * Returns the tokens that a call reserves at least, the most that it can use if that
	 * is the reserve.
	 * @param options the options of the call
	 * @param prompt the estimated tokens of its prompt
	 */
	TokenUsage least(ModelOptions options, long prompt) {
		if (this.kind != Kind.MAX_TOKENS) {
			return new TokenUsage(prompt, 0);
		}
		Long maximum = options.maxTokens();
		return new TokenUsage(prompt, (maximum != null) ? maximum : this.tokens);
	}

	/** The ways to estimate. */
	public enum Kind {

		/** The same for each call. */
		FIXED,

		/** The most that the call can use. */
		MAX_TOKENS,

		/** The 95th percentile of the caller's recent calls under the policy. */
		P95

	}

}
