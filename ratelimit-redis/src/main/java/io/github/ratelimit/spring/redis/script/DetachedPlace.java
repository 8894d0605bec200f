package io.github.ratelimit.spring.redis.script;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.store.shared.KeyHash;

/**
 * A place of a detached charge in Redis.
 *
 * @param id a random text of {@value #HASH} characters
 * @param hash the hash of the caller's key
 * @param counter the name of the counter
 */
public record DetachedPlace(String id, String hash, String counter) {

	private static final int HASH = KeyHash.LENGTH;

	private static final Pattern TEXT = Pattern
		.compile("([A-Za-z0-9_-]{" + HASH + "})([A-Za-z0-9_-]{" + HASH + "})([A-Za-z0-9._-]{1,64})");

	/** Returns a new place for a charge of a counter and key. */
	static DetachedPlace random(String hash, String counter) {
		UUID random = UUID.randomUUID();
		byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES)
			.putLong(random.getMostSignificantBits())
			.putLong(random.getLeastSignificantBits())
			.array();
		return new DetachedPlace(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes), hash, counter);
	}

	/** Returns whether a text has the form of a place. */
	static boolean isPlace(byte[] text) {
		return TEXT.matcher(new String(text, StandardCharsets.ISO_8859_1)).matches();
	}

	/**
	 * Reads a place.
	 * @throws IllegalArgumentException if it has another form
	 */
	public static DetachedPlace of(byte[] text) {
		Matcher matcher = TEXT.matcher(new String(text, StandardCharsets.ISO_8859_1));
		if (!matcher.matches()) {
			throw new IllegalArgumentException("a place of a detached charge has another form");
		}
		return new DetachedPlace(matcher.group(1), matcher.group(2), matcher.group(3));
	}

	/** Returns the place as text. */
	byte[] text() {
		return (this.id + this.hash + this.counter).getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * A place with the time at which its charge can no longer be settled. After it, a
	 * charge that is missing has expired.
	 *
	 * @param place the place
	 * @param endMicros the time in microseconds since 1970
	 */
	public record Expiring(DetachedPlace place, long endMicros) {

		/**
		 * Reads a place and its time.
		 * @throws IllegalArgumentException if it has another form
		 */
		public static Expiring of(byte[] bytes) {
			if (bytes.length < Long.BYTES) {
				throw new IllegalArgumentException("a place of a detached charge begins with a time");
			}
			ByteBuffer buffer = ByteBuffer.wrap(bytes);
			long end = buffer.getLong();
			byte[] text = new byte[buffer.remaining()];
			buffer.get(text);
			return new Expiring(DetachedPlace.of(text), end);
		}

		/** Returns the place and its time. */
		public byte[] bytes() {
			byte[] text = this.place.text();
			return ByteBuffer.allocate(Long.BYTES + text.length).putLong(this.endMicros).put(text).array();
		}

	}

}
