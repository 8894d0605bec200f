package io.github.ratelimit.spring.key;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A short digest of a key, for places that do not show keys. It tells keys apart and is
 * the same on all instances; it does not hide a key from those who can guess it.
 */
public final class KeyDigest {

	/** The start of a digest in place of a key. */
	public static final String WORD = "digest:";

	private static final int BYTES = 8;

	private KeyDigest() {
	}

	/**
	 * Returns the digest of a key as it is shown in place of the key.
	 * @param key the key
	 * @return the digest after its word
	 */
	public static String inPlaceOf(String key) {
		return WORD + of(key);
	}

	/**
	 * Returns the digest of a key.
	 * @param key the key
	 * @return the first 64 bits of SHA-256, in hexadecimal
	 */
	public static String of(String key) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest, 0, BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
