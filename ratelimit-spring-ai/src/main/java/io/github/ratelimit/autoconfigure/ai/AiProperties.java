package io.github.ratelimit.autoconfigure.ai;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.properties.PropertyCheck;
import io.github.ratelimit.spring.ai.ChatPolicies;
import io.github.ratelimit.spring.ai.TokenPrice;
import io.github.ratelimit.spring.ai.TokenPrices;
import io.github.ratelimit.spring.ai.TokenReserve;
import io.github.ratelimit.spring.ai.TokenSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.tokenizer.TokenCountEstimator;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The {@code ratelimit.ai.*} properties.
 *
 * @param requests Policies that count calls of language models.
 * @param tokens Policies that count the tokens of prompts and completions.
 * @param cost Policies that count money, in millionths of the currency of the prices.
 * @param reserve Tokens that a call reserves until its usage is known: a number,
 * max-tokens for the most that it can use, or p95 for what 95 percent of the recent calls
 * of the same caller used.
 * @param initialReserve Tokens to reserve while nothing better is known: with p95 for the
 * first calls, with max-tokens for completions without a maximum.
 * @param prices Prices of a million tokens by the name of the model, or default.
 * @param imagePrices Prices of an image by the name of the model, or default.
 */
@ConfigurationProperties(AiProperties.PREFIX)
record AiProperties(@DefaultValue List<String> requests, @DefaultValue List<String> tokens,
		@DefaultValue List<String> cost, @DefaultValue("p95") String reserve, @DefaultValue("1000") long initialReserve,
		@DefaultValue Map<String, Price> prices, @DefaultValue Map<String, BigDecimal> imagePrices) {

	static final String PREFIX = "ratelimit.ai";

	private static final String MAX_TOKENS = "max-tokens";

	private static final String P95 = "p95";

	/** Returns the policies to charge. */
	ChatPolicies policies() {
		return PropertyCheck.checked(PREFIX,
				Stream.of(this.requests, this.tokens, this.cost).flatMap(List::stream).toList(),
				() -> new ChatPolicies(this.requests, this.tokens, this.cost));
	}

	/** Returns how tokens are reserved and priced. */
	TokenSettings settings(@Nullable TokenCountEstimator estimator) {
		return new TokenSettings(tokenReserve(), tokenPrices(), estimator);
	}

	/** Returns what calls reserve. */
	private TokenReserve tokenReserve() {
		TokenReserve initial = PropertyCheck.checked(PREFIX + ".initial-reserve", this.initialReserve,
				() -> TokenReserve.fixed(this.initialReserve));
		return switch (this.reserve) {
			case MAX_TOKENS -> TokenReserve.maxTokens(initial.tokens());
			case P95 -> TokenReserve.p95(initial.tokens());
			default -> PropertyCheck.checked(PREFIX + ".reserve", this.reserve, () -> fixed(this.reserve));
		};
	}

	/** Returns the prices of models. */
	private TokenPrices tokenPrices() {
		Map<String, TokenPrice> byModel = new HashMap<>();
		this.prices.forEach((model, price) -> byModel.put(model,
				PropertyCheck.checked(PREFIX + ".prices." + model, price, price::read)));
		return PropertyCheck.checked(PREFIX + ".image-prices", this.imagePrices,
				() -> new TokenPrices(byModel, this.imagePrices));
	}

	private static TokenReserve fixed(String tokens) {
		try {
			return TokenReserve.fixed(Long.parseLong(tokens));
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException(
					"it is a number of tokens, " + MAX_TOKENS + " or " + P95 + ", as in 'reserve: 2000'", ex);
		}
	}

	/**
	 * The price of a model.
	 *
	 * @param input Price of a million tokens of prompts.
	 * @param output Price of a million tokens of completions.
	 */
	record Price(@Nullable BigDecimal input, @Nullable BigDecimal output) {

		private TokenPrice read() {
			if (this.input == null || this.output == null) {
				throw new IllegalArgumentException("a price has both 'input' and 'output'");
			}
			return new TokenPrice(this.input, this.output);
		}

	}

}
