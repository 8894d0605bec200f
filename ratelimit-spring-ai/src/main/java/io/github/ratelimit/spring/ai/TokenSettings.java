package io.github.ratelimit.spring.ai;

import org.jspecify.annotations.Nullable;

import org.springframework.ai.tokenizer.TokenCountEstimator;

/**
 * How tokens are reserved and priced.
 *
 * @param reserve what a call reserves
 * @param prices the prices of models, for policies that count money
 * @param estimator estimates the tokens of texts in prompts; {@code null} for a token for
 * four bytes in UTF-8 or, if the most is reserved, for each byte
 */
public record TokenSettings(TokenReserve reserve, TokenPrices prices, @Nullable TokenCountEstimator estimator) {

	/**
	 * Returns the estimate of prompts. It is the largest only if the reserve is, as the
	 * tokens of many texts are known well enough without.
	 */
	PromptSize promptSize() {
		TokenCountEstimator own = this.estimator;
		if (own != null) {
			return new PromptSize(own::estimate);
		}
		return new PromptSize(
				(this.reserve.kind() == TokenReserve.Kind.MAX_TOKENS) ? PromptSize.BYTES : PromptSize.QUARTER);
	}

	/**
	 * Returns these settings with another reserve.
	 * @param reserve what a call reserves
	 * @return the settings
	 */
	public TokenSettings withReserve(TokenReserve reserve) {
		return new TokenSettings(reserve, this.prices, this.estimator);
	}

}
