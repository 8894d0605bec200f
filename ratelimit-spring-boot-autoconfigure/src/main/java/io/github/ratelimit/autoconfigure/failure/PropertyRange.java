package io.github.ratelimit.autoconfigure.failure;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;

/**
 * The range of a property's values, outside which the application must not start.
 */
public final class PropertyRange {

	private PropertyRange() {
	}

	/**
	 * Requires a property to be within its range.
	 * @param within whether it is
	 * @param property the name of the property
	 * @param range the range, such as {@code be at least 1}
	 * @param value the value of the property
	 * @throws InvalidRateLimitConfigurationException if it is not
	 */
	public static void require(boolean within, String property, String range, Object value) {
		if (!within) {
			throw new InvalidRateLimitConfigurationException(
					"The property '" + property + "' must " + range + ", was '" + value + "'",
					"Correct the property '" + property + "'.", null);
		}
	}

}
