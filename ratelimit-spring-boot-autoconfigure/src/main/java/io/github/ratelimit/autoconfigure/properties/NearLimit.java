package io.github.ratelimit.autoconfigure.properties;

/**
 * The reader of the percentage of a limit from which a call is near it.
 */
public final class NearLimit {

	private NearLimit() {
	}

	/**
	 * Returns the percentage, or 0 if it is not configured.
	 * @param properties the properties
	 * @return the percentage
	 */
	public static int of(RateLimitProperties properties) {
		Integer percent = properties.nearLimit();
		return (percent == null) ? 0 : PropertyCheck.checked("ratelimit.near-limit", percent, () -> {
			if (percent < 1 || percent > 100) {
				throw new IllegalArgumentException("it is a percentage from 1 to 100");
			}
			return percent;
		});
	}

}
