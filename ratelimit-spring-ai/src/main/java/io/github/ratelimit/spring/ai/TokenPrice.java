package io.github.ratelimit.spring.ai;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * The price of a model: what a million tokens cost, and so what one token costs in
 * millionths of the currency.
 *
 * @param input the price of a million tokens of a prompt
 * @param output the price of a million tokens of a completion
 */
public record TokenPrice(BigDecimal input, BigDecimal output) {

	/**
	 * Creates a price.
	 * @param input the price of a million tokens of a prompt
	 * @param output the price of a million tokens of a completion
	 * @throws IllegalArgumentException if a price is negative
	 */
	public TokenPrice {
		if (input.signum() < 0 || output.signum() < 0) {
			throw new IllegalArgumentException(
					"a price must not be negative, was " + input + " for input and " + output + " for output");
		}
	}

	/** Returns the cost of tokens in millionths of the currency, rounded up. */
	long of(TokenUsage usage) {
		return this.input.multiply(BigDecimal.valueOf(usage.prompt()))
			.add(this.output.multiply(BigDecimal.valueOf(usage.completion())))
			.setScale(0, RoundingMode.CEILING)
			.min(BigDecimal.valueOf(Long.MAX_VALUE))
			.longValueExact();
	}

}
