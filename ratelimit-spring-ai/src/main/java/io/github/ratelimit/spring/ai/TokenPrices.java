package io.github.ratelimit.spring.ai;

import java.math.BigDecimal;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The prices of models.
 *
 * @param byModel the prices by the name of the model as the options of a call have it;
 * {@value #DEFAULT} for other models
 * @param ofImages the prices of an image, by the same names
 */
public record TokenPrices(Map<String, TokenPrice> byModel, Map<String, BigDecimal> ofImages) {

	/** The name of the price of models that have none of their own. */
	public static final String DEFAULT = "default";

	/** No prices. */
	public static final TokenPrices NONE = new TokenPrices(Map.of());

	private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

	/**
	 * Creates a table of prices.
	 * @param byModel the prices of tokens by the name of the model
	 * @param ofImages the prices of an image by the name of the model
	 * @throws IllegalArgumentException if the price of an image is negative
	 */
	public TokenPrices {
		byModel = Map.copyOf(byModel);
		ofImages = Map.copyOf(ofImages);
		ofImages.forEach((model, price) -> {
			if (price.signum() < 0) {
				throw new IllegalArgumentException(
						"the price of an image of '" + model + "' must not be negative, was " + price);
			}
		});
	}

	/**
	 * Creates a table of prices of tokens.
	 * @param byModel the prices by the name of the model
	 */
	public TokenPrices(Map<String, TokenPrice> byModel) {
		this(byModel, Map.of());
	}

	/** Returns the price of a model, {@code null} if it has none. */
	@Nullable TokenPrice find(String model) {
		TokenPrice price = this.byModel.get(model);
		return (price != null) ? price : this.byModel.get(DEFAULT);
	}

	/**
	 * Returns the price of an image in millionths of the currency, {@code null} if the
	 * model has none.
	 */
	@Nullable TokenPrice findOfImage(String model) {
		BigDecimal price = this.ofImages.getOrDefault(model, this.ofImages.get(DEFAULT));
		return (price != null) ? new TokenPrice(BigDecimal.ZERO, price.multiply(MILLION)) : null;
	}

}
