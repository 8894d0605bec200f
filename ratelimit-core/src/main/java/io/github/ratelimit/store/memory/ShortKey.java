package io.github.ratelimit.store.memory;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A key of bounded length, as callers can choose long ones. A long key becomes its
 * SHA-256 in hexadecimal. That is longer than any key that is kept as it is, so the two
 * never collide.
 */
final class ShortKey {

	private static final int DIGITS = 64;

	private ShortKey() {
	}

	static String of(String key) {
		return (key.length() < DIGITS) ? key : HexFormat.of().formatHex(digest(units(key)));
	}

	/** Returns UTF-16 units: in UTF-8 all lone surrogates are alike. */
	private static byte[] units(String key) {
		byte[] units = new byte[2 * key.length()];
		for (int i = 0; i < key.length(); i++) {
			units[2 * i] = (byte) (key.charAt(i) >> 8);
			units[2 * i + 1] = (byte) key.charAt(i);
		}
		return units;
	}

	private static byte[] digest(byte[] input) {
		try {
			return MessageDigest.getInstance("SHA-256").digest(input);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
