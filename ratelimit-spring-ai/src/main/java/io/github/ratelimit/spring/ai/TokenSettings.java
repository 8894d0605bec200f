package io.github.ratelimit.spring.ai;

import org.jspecify.annotations.Nullable;

import org.springframework.ai.tokenizer.TokenCountEstimator;

/**
 * How tokens are reserved and priced.
 *
 * @param reserve what a call reserves
 * @param prices the prices of models, for policies that count money
 * @param estimator estimates the tokens of texts in prompts; {@code null} for the most
 * that a text can have, a token for each byte in UTF-8
 */
public record TokenSettings(TokenReserve reserve, TokenPrices prices, @Nullable TokenCountEstimator estimator) {

	/** Returns the estimate of prompts. */
	PromptSize promptSize() {
		TokenCountEstimator own = this.estimator;
		return new PromptSize((own != null) ? own::estimate : PromptSize.BYTES);
	}

	/**
	 * Returns the estimate of texts to embed. It is the largest only if the reserve is,
	 * as the tokens of many texts are known well enough without.
	 */
	PromptSize embeddingSize() {
		return (this.estimator != null || this.reserve.kind() == TokenReserve.Kind.MAX_TOKENS) ? promptSize()
				: new PromptSize(PromptSize.QUARTER);
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
