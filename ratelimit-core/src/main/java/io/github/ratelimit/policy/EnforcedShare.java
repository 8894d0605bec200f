package io.github.ratelimit.policy;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.key.Fnv1a;

/**
 * The share of keys for which a policy's limits deny calls. For other keys, the limits
 * are in shadow. A hash of the key alone decides, so that a key is on the same side on
 * every instance, and a key that is enforced stays so while the share grows. Immutable.
 *
 * @param percent from 0 to 100
 */
public record EnforcedShare(int percent) {

	/** The share without any key: all limits are in shadow. */
	public static final EnforcedShare NONE = new EnforcedShare(0);

	/** The share of all keys. */
	public static final EnforcedShare ALL = new EnforcedShare(100);

	private static final Pattern TEXT = Pattern.compile("(\\d{1,3})%");

	/**
	 * Checks the percentage.
	 * @param percent from 0 to 100
	 */
	public EnforcedShare {
		if (percent < 0 || percent > 100) {
			throw invalid();
		}
	}

	/**
	 * Reads a share.
	 * @param text a whole percentage, such as {@code 10%}
	 * @return the share
	 * @throws IllegalArgumentException if the text is no whole percentage from 0% to 100%
	 */
	public static EnforcedShare of(String text) {
		Matcher matcher = TEXT.matcher(text.strip());
		if (!matcher.matches()) {
			throw invalid();
		}
		return new EnforcedShare(Integer.parseInt(matcher.group(1)));
	}

	/**
	 * Returns whether some keys are enforced and others are not.
	 * @return whether the share is neither none nor all
	 */
	public boolean isPartial() {
		return !equals(NONE) && !equals(ALL);
	}

	/**
	 * Returns whether a key is enforced.
	 * @param key the key, such as {@code principal:alice}
	 * @return whether its place among a hundred is within the share
	 */
	public boolean includes(String key) {
		return Long.remainderUnsigned(mixed(Fnv1a.hash(key)), 100) < this.percent;
	}

	/** Lets every bit change every other, as the finalizer of MurmurHash3 does. */
	private static long mixed(long hash) {
		long mixed = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
		mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
		return mixed ^ (mixed >>> 33);
	}

	private static IllegalArgumentException invalid() {
		return new IllegalArgumentException(
				"the share of keys to enforce is a whole percentage from 0% to 100%, such as 10%");
	}

	@Override
	public String toString() {
		return this.percent + "%";
	}

}
