package io.github.ratelimit.policy;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.store.PolicyLimit;

/**
 * The share of each limit that an instance admits on its own while the store fails: a
 * percentage, or an equal part for each of the instances that share the store. Immutable.
 *
 * @param percent from 1 to 100, or 0 for {@link #AUTO}
 */
public record LocalShare(int percent) {

	/** The share of one of the instances that are known. */
	public static final LocalShare AUTO = new LocalShare(0);

	/** The whole limit. */
	public static final LocalShare ALL = new LocalShare(100);

	private static final String AUTO_WORD = "auto";

	private static final Pattern PERCENT = Pattern.compile("-?\\d{1,9}");

	/**
	 * Checks the percentage.
	 * @param percent from 1 to 100, or 0 for {@link #AUTO}
	 */
	public LocalShare {
		if (percent < 0 || percent > 100) {
			throw outOfBounds(percent);
		}
	}

	/**
	 * Returns a share in percent.
	 * @param percent from 1 to 100
	 * @return the share
	 */
	public static LocalShare ofPercent(int percent) {
		if (percent == 0) {
			throw outOfBounds(percent);
		}
		return new LocalShare(percent);
	}

	/**
	 * Reads a share in configuration.
	 * @param text a percentage without its sign, such as {@code 25}, or {@code auto}
	 * @return the share
	 * @throws IllegalArgumentException if the text is neither
	 */
	public static LocalShare of(String text) {
		String word = text.strip();
		if (word.equals(AUTO_WORD)) {
			return AUTO;
		}
		Matcher matcher = PERCENT.matcher(word);
		if (!matcher.matches()) {
			throw new IllegalArgumentException(
					"a local share is a whole percentage without its sign, such as 25, or auto");
		}
		return ofPercent(Integer.parseInt(word));
	}

	/**
	 * Returns whether the share depends on the number of instances.
	 * @return whether this is {@link #AUTO}
	 */
	public boolean isAuto() {
		return equals(AUTO);
	}

	/**
	 * Returns this share of a limit. A percentage is rounded up to whole permits, a part
	 * down, and is at least 1 permit.
	 * @param limit the limit
	 * @param instances the number of instances that share the store, at least 1
	 * @return the limit with a share of its permits
	 * @throws IllegalArgumentException if a percentage of the limit cannot be counted
	 * exactly
	 */
	public PolicyLimit of(PolicyLimit limit, int instances) {
		return isAuto() ? limit.part(instances) : limit.share(this.percent);
	}

	private static IllegalArgumentException outOfBounds(int percent) {
		return new IllegalArgumentException("a local share is 1 to 100 percent, or auto, was " + percent);
	}

	/**
	 * Returns the share as in configuration.
	 * @return such as {@code 25} or {@code auto}
	 */
	@Override
	public String toString() {
		return isAuto() ? AUTO_WORD : Integer.toString(this.percent);
	}

}
