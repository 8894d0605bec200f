package io.github.ratelimit.spring.redis;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * 128 bits of SHA-256 over a key's UTF-16 units, in Base64, so that no two keys are alike
 * and no personal data and no character of the caller's choosing reaches Redis.
 */
final class KeyHash {

	static final int LENGTH = 22;

	private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

	/** What hashing takes, kept by each thread, as every decision hashes a key. */
	private final ThreadLocal<Work> work = ThreadLocal.withInitial(Work::new);

	void write(String key, byte[] target, int at) {
		System.arraycopy(this.work.get().hash(key), 0, target, at, LENGTH);
	}

	private static final class Work {

		private final MessageDigest digest = sha256();

		private final byte[] units = new byte[512];

		private final byte[] whole = new byte[32];

		private final byte[] half = new byte[16];

		private final byte[] text = new byte[LENGTH];

		byte[] hash(String key) {
			int length = 0;
			for (int i = 0; i < key.length(); i++) {
				this.units[length++] = (byte) (key.charAt(i) >> 8);
				this.units[length++] = (byte) key.charAt(i);
				if (length == this.units.length) {
					this.digest.update(this.units, 0, length);
					length = 0;
				}
			}
			this.digest.update(this.units, 0, length);
			finish();
			System.arraycopy(this.whole, 0, this.half, 0, this.half.length);
			BASE64.encode(this.half, this.text);
			return this.text;
		}

		private void finish() {
			try {
				this.digest.digest(this.whole, 0, this.whole.length);
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
