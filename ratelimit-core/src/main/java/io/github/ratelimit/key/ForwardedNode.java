package io.github.ratelimit.key;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A parser of the peer that a proxy reports: an address, with or without a port.
 */
final class ForwardedNode {

	/** The longest entry, which bounds the work; longer ones can only have long zones. */
	private static final int LONGEST = 128;

	private static final String PORT = "(?::(?:[0-9]{1,5}|_[0-9A-Za-z._-]++))?";

	private static final Pattern WITH_PORT = Pattern.compile("\\[([^\\[\\]]++)]" + PORT + "|([0-9.]++)" + PORT);

	/**
	 * {@code name=value}, quoted or not, and the separator from the next pair.
	 */
	private static final Pattern PAIR = Pattern
		.compile("\\s*+([^\\s\";,=\\\\]++)=(?:\"([^\"\\\\]*+)\"|([^\\s\";,\\\\]++))\\s*+(?:;|$)");

	private ForwardedNode() {
	}

	/**
	 * Returns the address in a node.
	 * @return the address, or {@code null} if there is none
	 */
	static @Nullable IpAddress address(@Nullable String node) {
		if (node == null || node.length() > LONGEST) {
			return null;
		}
		Matcher parts = WITH_PORT.matcher(node);
		if (!parts.matches()) {
			return IpAddress.parse(node);
		}
		return (parts.group(1) != null) ? bracketed(parts.group(1)) : IpAddress.parse(parts.group(2));
	}

	/**
	 * Returns the address in the {@code for} of an element of {@code Forwarded} (RFC
	 * 7239).
	 * @return the address, or {@code null} if there is none, or the element cannot be
	 * read to its end
	 */
	static @Nullable IpAddress addressFor(String element) {
		String node = null;
		Matcher pair = PAIR.matcher(element);
		while (pair.regionStart() < element.length()) {
			if (!pair.lookingAt() || (isFor(pair) && node != null)) {
				return null;
			}
			if (isFor(pair)) {
				node = (pair.group(2) != null) ? pair.group(2) : pair.group(3);
			}
			pair.region(pair.end(), element.length());
		}
		return address(node);
	}

	private static boolean isFor(Matcher pair) {
		return pair.group(1).equalsIgnoreCase("for");
	}

	private static @Nullable IpAddress bracketed(String address) {
		return (address.indexOf(':') < 0) ? null : IpAddress.parse(address);
	}

}
