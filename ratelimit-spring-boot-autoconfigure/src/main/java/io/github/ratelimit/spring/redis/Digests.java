package io.github.ratelimit.spring.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/**
 * The two digests of this package: a key's, so that no personal data and no character of
 * the caller's choosing reaches Redis, and a script's, by which Redis knows it.
 */
final class Digests {

	private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

	private Digests() {
	}

	/** 128 bits of SHA-256 over the key's UTF-16 units, so that no two keys are alike. */
	static String ofKey(String key) {
		byte[] units = new byte[2 * key.length()];
		for (int i = 0; i < key.length(); i++) {
			units[2 * i] = (byte) (key.charAt(i) >> 8);
			units[2 * i + 1] = (byte) key.charAt(i);
		}
		return BASE64.encodeToString(Arrays.copyOf(digest("SHA-256", units), 16));
	}

	static String sha1Hex(String script) {
		return HexFormat.of().formatHex(digest("SHA-1", script.getBytes(StandardCharsets.US_ASCII)));
	}

	private static byte[] digest(String algorithm, byte[] input) {
		try {
			return MessageDigest.getInstance(algorithm).digest(input);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
