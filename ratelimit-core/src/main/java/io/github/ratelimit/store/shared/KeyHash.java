package io.github.ratelimit.store.shared;

import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The first 128 bits of SHA-256 over the UTF-16 units of a key, in Base64. Keys do not
 * collide in practice, and neither personal data nor a character that a caller chose
 * reaches the store. Thread-safe.
 */
public final class KeyHash {

	/** The number of characters of a hash. */
	public static final int LENGTH = 22;

	private static final byte[] BASE64_URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
		.getBytes(StandardCharsets.US_ASCII);

	private static final int SLOTS = 64;

	/**
	 * The distance of slots in use, as threads slow each other down on one cache line.
	 */
	private static final int APART = 16;

	/**
	 * Digests that no thread uses. A thread takes one from the slot of its number and
	 * puts it back, so that threads which outlive the application keep nothing of this
	 * class.
	 */
	private final AtomicReferenceArray<Digest> digests = new AtomicReferenceArray<>(SLOTS * APART);

	/**
	 * Writes the hash of a key.
	 * @param key the key
	 * @param target receives the hash, in ASCII
	 * @param at where it begins
	 */
	public void write(String key, byte[] target, int at) {
		int slot = (int) (Thread.currentThread().getId() % SLOTS) * APART;
		Digest digest = this.digests.getAndSet(slot, null);
		if (digest == null) {
			digest = new Digest();
		}
		writeBase64(digest.of(key), target, at);
		this.digests.lazySet(slot, digest);
	}

	/**
	 * Returns the hash of a key as text.
	 * @param key the key
	 * @return {@value #LENGTH} characters
	 */
	public String of(String key) {
		byte[] hash = new byte[LENGTH];
		write(key, hash, 0);
		return new String(hash, StandardCharsets.US_ASCII);
	}

	/** Writes five times 24 bits in four characters, then the last byte in two. */
	private static void writeBase64(byte[] hash, byte[] target, int at) {
		int to = at;
		for (int from = 0; from < 15; from += 3) {
			int bits = (hash[from] & 0xff) << 16 | (hash[from + 1] & 0xff) << 8 | (hash[from + 2] & 0xff);
			target[to++] = BASE64_URL[bits >> 18];
			target[to++] = BASE64_URL[bits >> 12 & 63];
			target[to++] = BASE64_URL[bits >> 6 & 63];
			target[to++] = BASE64_URL[bits & 63];
		}
		target[to++] = BASE64_URL[(hash[15] & 0xff) >> 2];
		target[to] = BASE64_URL[(hash[15] & 3) << 4];
	}

	/** A SHA-256 and its buffers. Not thread-safe. */
	private static final class Digest {

		private final MessageDigest sha256 = sha256();

		private final byte[] units = new byte[512];

		private final byte[] hash = new byte[32];

		byte[] of(String key) {
			int length = 0;
			for (int i = 0; i < key.length(); i++) {
				this.units[length++] = (byte) (key.charAt(i) >> 8);
				this.units[length++] = (byte) key.charAt(i);
				if (length == this.units.length) {
					this.sha256.update(this.units, 0, length);
					length = 0;
				}
			}
			this.sha256.update(this.units, 0, length);
			return finish();
		}

		private byte[] finish() {
			try {
				this.sha256.digest(this.hash, 0, this.hash.length);
				return this.hash;
			}
			catch (DigestException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private static MessageDigest sha256() {
			try {
				return MessageDigest.getInstance("SHA-256");
			}
			catch (NoSuchAlgorithmException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
