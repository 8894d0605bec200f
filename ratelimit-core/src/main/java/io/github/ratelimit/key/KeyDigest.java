package io.github.ratelimit.key;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A short digest of a key, for places that do not show keys. It tells keys apart and is
 * the same on all instances; it does not hide a key from those who can guess it.
 */
public final class KeyDigest {

	private static final String WORD = "digest:";

	private static final int BYTES = 8;

	private static final Pattern IN_PLACE = Pattern.compile(WORD + "[0-9a-f]{" + 2 * BYTES + "}");

	private KeyDigest() {
	}

	/**
	 * Returns whether a text is a digest in place of a key.
	 * @param key a key or a digest
	 * @return whether it has the form of a digest after its word
	 */
	public static boolean isInPlace(String key) {
		return key.startsWith(WORD) && IN_PLACE.matcher(key).matches();
	}

	/**
	 * Returns the digest of a key as it is shown in place of the key.
	 * @param key the key, or its digest, which stays as it is
	 * @return the digest after its word
	 */
	public static String inPlaceOf(String key) {
		return isInPlace(key) ? key : WORD + of(key);
	}

	/**
	 * Returns the digest of a key.
	 * @param key the key, or its digest in place of the key
	 * @return the first 64 bits of SHA-256, in hexadecimal
	 */
	public static String of(String key) {
		if (isInPlace(key)) {
			return key.substring(WORD.length());
		}
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest, 0, BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
