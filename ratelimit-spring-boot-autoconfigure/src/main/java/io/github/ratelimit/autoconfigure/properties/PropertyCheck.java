package io.github.ratelimit.autoconfigure.properties;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * A check of properties, which names the property whose value is invalid.
 */
public final class PropertyCheck {

	/** The reason for which a value is often empty. */
	static final String COMMENT = "In YAML, # begins a comment: write an expression in quotes, such as "
			+ "\"#request.header('X-Key')\".";

	private PropertyCheck() {
	}

	/**
	 * Requires a property that is set to have a value.
	 * @param property the name of the property
	 * @param value the value; {@code null} if the property is not set
	 * @throws InvalidRateLimitConfigurationException if the value is empty
	 */
	static void requireText(String property, @Nullable String value) {
		if (value != null && value.isBlank()) {
			throw new InvalidRateLimitConfigurationException("The property '" + property + "' is empty", COMMENT, null);
		}
	}

	/**
	 * Requires a property to have a value, and all its entries too.
	 * @param property the name of the property
	 * @param values the values
	 * @throws InvalidRateLimitConfigurationException if there is none or one is empty
	 */
	static void requireTexts(String property, List<String> values) {
		requireText(property, values.isEmpty() ? "" : null);
		for (int i = 0; i < values.size(); i++) {
			requireText(property + '[' + i + ']', values.get(i));
		}
	}

	/**
	 * Returns the value that is read from a property.
	 * @param <T> the type of the value
	 * @param property the name of the property
	 * @param value the value of the property, for messages
	 * @param read reads the value, or throws {@link IllegalArgumentException}
	 * @return the value that was read
	 * @throws InvalidRateLimitConfigurationException if the value is invalid
	 */
	public static <T> T checked(String property, @Nullable Object value, Supplier<T> read) {
		try {
			return read.get();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRateLimitConfigurationException(
					"The property '" + property + "' has the value '" + value + "', but " + ex.getMessage(),
					"Correct the property '" + property + "'.", ex);
		}
	}

	/** Requires a list property to have a limit. */
	static void requireLimits(String property, List<String> texts) {
		if (texts.isEmpty()) {
			throw new InvalidRateLimitConfigurationException("The property '" + property + "' is missing",
					"Set it to permits per period, such as 100/1m.", null);
		}
	}

	/** Returns the limits of a list property. */
	static List<Limit> limits(String property, List<String> texts, Algorithm algorithm) {
		List<Limit> limits = new ArrayList<>();
		for (String text : texts) {
			String limit = property + "[" + limits.size() + "]";
			limits.add(checked(limit, text, () -> Limit.parse(text, algorithm)));
		}
		return limits;
	}

}
