package io.github.ratelimit.spring.ai;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The prices of models.
 *
 * @param byModel the prices by the name of the model as the options of a call have it;
 * {@value #DEFAULT} for other models
 */
public record TokenPrices(Map<String, TokenPrice> byModel) {

	/** The name of the price of models that have none of their own. */
	public static final String DEFAULT = "default";

	/** No prices. */
	public static final TokenPrices NONE = new TokenPrices(Map.of());

	/**
	 * Creates a table of prices.
	 * @param byModel the prices by the name of the model
	 */
	public TokenPrices {
		byModel = Map.copyOf(byModel);
	}

	/** Returns the price of a model, {@code null} if it has none. */
	@Nullable TokenPrice find(String model) {
		TokenPrice price = this.byModel.get(model);
		return (price != null) ? price : this.byModel.get(DEFAULT);
	}

}
