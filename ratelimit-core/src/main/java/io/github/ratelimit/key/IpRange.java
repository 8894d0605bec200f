package io.github.ratelimit.key;

import org.jspecify.annotations.Nullable;

/**
 * A range of addresses with a common prefix. It contains only addresses of one family:
 * {@code ::/0} is every IPv6 address, and no IPv4 address.
 *
 * @param network the prefix, then zeros
 * @param bits the length of the prefix, at most {@value IpAddress#BITS}
 */
record IpRange(IpAddress network, int bits) {

	/**
	 * Reads {@code 10.0.0.0/8}, {@code 2001:db8::/32} or a single address.
	 * @throws IllegalArgumentException if the text is no range
	 */
	static IpRange parse(String text) {
		int slash = text.indexOf('/');
		IpAddress network = IpAddress.parse((slash < 0) ? text : text.substring(0, slash));
		if (network == null || text.indexOf('%') >= 0) {
			throw new IllegalArgumentException(
					"'" + text + "' is no IP address or range, such as 10.0.0.0/8 or 2001:db8::1");
		}
		int bits = (slash < 0) ? IpAddress.BITS : bits(text, slash);
		if (!network.prefix(bits).equals(network)) {
			throw new IllegalArgumentException("'" + text + "' has an address with bits beyond its prefix");
		}
		return new IpRange(network, bits);
	}

	/** Returns the range with a prefix of this length that contains an address. */
	static IpRange of(IpAddress address, int bits) {
		return new IpRange(address.prefix(bits), bits);
	}

	boolean contains(IpAddress address) {
		return address.isIpv4() == this.network.isIpv4() && address.prefix(this.bits).equals(this.network);
	}

	/** Reads the prefix length. It counts written bits: 32 for a decimal address. */
	private static int bits(String text, int slash) {
		int unwritten = (text.lastIndexOf(':', slash) < 0) ? IpAddress.MAPPED : 0;
		Integer bits = number(text.substring(slash + 1));
		if (bits == null || unwritten + bits > IpAddress.BITS) {
			throw new IllegalArgumentException(
					"the prefix of '" + text + "' must be a number from 0 to " + (IpAddress.BITS - unwritten));
		}
		return unwritten + bits;
	}

	private static @Nullable Integer number(String digits) {
		return digits.matches("[0-9]{1,3}") ? Integer.valueOf(digits) : null;
	}

}
