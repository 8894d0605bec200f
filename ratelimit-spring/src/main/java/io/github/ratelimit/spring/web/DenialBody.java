package io.github.ratelimit.spring.web;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The body of the response to a denial, in two parts: before and after the path of the
 * request.
 */
final class DenialBody {

	/** The path of a body that is being prepared. */
	static final URI PLACEHOLDER = URI.create("/placeholder-for-the-path");

	/**
	 * The characters, other than letters and digits, that are alike in a URI and in JSON.
	 */
	private static final String PLAIN = "/-_.~:@,;=+!$()*";

	private static final int HEX = 16;

	private final byte[] before;

	private final byte[] after;

	private DenialBody(byte[] before, byte[] after) {
		this.before = before;
		this.after = after;
	}

	/** Returns the body of a text that contains the placeholder once. */
	static Optional<DenialBody> of(String text) {
		int at = text.indexOf(PLACEHOLDER.toString());
		int end = at + PLACEHOLDER.toString().length();
		return (at < 0 || text.indexOf(PLACEHOLDER.toString(), end) >= 0) ? Optional.empty()
				: Optional.of(new DenialBody(bytes(text.substring(0, at)), bytes(text.substring(end))));
	}

	/**
	 * Returns whether a path is a URI that JSON contains as it is. Two slashes would
	 * begin an authority.
	 */
	static boolean canHave(String path) {
		if (!path.startsWith("/") || path.startsWith("//")) {
			return false;
		}
		for (int i = 0; i < path.length(); i++) {
			if (!isPlain(path.charAt(i)) && !isEscape(path, i)) {
				return false;
			}
		}
		return true;
	}

	private static boolean isPlain(char character) {
		return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
				|| (character >= '0' && character <= '9') || PLAIN.indexOf(character) >= 0;
	}

	private static boolean isEscape(String path, int index) {
		return path.charAt(index) == '%' && index + 2 < path.length()
				&& Character.digit(path.charAt(index + 1), HEX) >= 0
				&& Character.digit(path.charAt(index + 2), HEX) >= 0;
	}

	/** Returns the body with a path, which it can have. */
	@SuppressWarnings("deprecation") // the quickest copy of ASCII
	byte[] with(String path) {
		byte[] whole = new byte[this.before.length + path.length() + this.after.length];
		System.arraycopy(this.before, 0, whole, 0, this.before.length);
		path.getBytes(0, path.length(), whole, this.before.length);
		System.arraycopy(this.after, 0, whole, this.before.length + path.length(), this.after.length);
		return whole;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
