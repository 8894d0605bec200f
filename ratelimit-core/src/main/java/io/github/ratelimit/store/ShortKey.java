package io.github.ratelimit.store;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Bounds what a key takes in memory, as callers can choose long ones. A long key becomes
 * its SHA-256 in hexadecimal, which is longer than any key that stays as it is, so that
 * no two keys are alike.
 */
final class ShortKey {

	private static final int DIGITS = 64;

	private ShortKey() {
	}

	static String of(String key) {
		return (key.length() < DIGITS) ? key : HexFormat.of().formatHex(digest(units(key)));
	}

	/** UTF-16 as it is: in UTF-8 all lone surrogates are alike. */
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
