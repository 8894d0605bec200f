package io.github.ratelimit.key;

/**
 * The hash FNV-1a of 64 bits, by characters, which is the same on all instances.
 */
public final class Fnv1a {

	private static final long START = 0xCBF29CE484222325L;

	private static final long FACTOR = 0x100000001B3L;

	private Fnv1a() {
	}

	/**
	 * Returns the hash of a text.
	 * @param text the text
	 * @return 64 bits
	 */
	public static long hash(String text) {
		return hash(START, text);
	}

	/**
	 * Returns the hash of a text that follows others, or a seed.
	 * @param start the hash of what is before the text
	 * @param text the text
	 * @return 64 bits
	 */
	public static long hash(long start, String text) {
		long hash = start;
		for (int i = 0; i < text.length(); i++) {
			hash = (hash ^ text.charAt(i)) * FACTOR;
		}
		return hash;
	}

}
