package io.github.ratelimit.key;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * An IP address as bits, so that every spelling is one value. An IPv4 address is kept as
 * its mapped IPv6 address, {@code ::ffff:a.b.c.d}.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
record IpAddress(long high, long low) {

	static final int BITS = 128;

	/** The leading bits that all mapped IPv4 addresses have in common. */
	static final int MAPPED = 96;

	private static final int GROUPS = 8;

	private static final Pattern IPV4 = Pattern
		.compile("OCTET\\.OCTET\\.OCTET\\.OCTET".replace("OCTET", "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"));

	private static final Pattern GROUP = Pattern.compile("[0-9A-Fa-f]{1,4}");

	/**
	 * Reads a literal; names are never looked up. It consists of four decimal parts
	 * without leading zeros, or is IPv6 as of RFC 4291; the zone of an IPv6 address is
	 * dropped.
	 * @return the address, or {@code null} if the text is no such literal
	 */
	static @Nullable IpAddress parse(String text) {
		if (text.indexOf(':') < 0) {
			return ipv4(text);
		}
		int zone = text.indexOf('%');
		return ipv6((zone < 0) ? text : text.substring(0, zone));
	}

	boolean isIpv4() {
		return this.high == 0 && this.low >>> 32 == 0xffff;
	}

	/** Returns this address with zeros after its first bits. */
	IpAddress prefix(int bits) {
		return new IpAddress(this.high & mask(bits), this.low & mask(bits - Long.SIZE));
	}

	/** Returns dotted decimals, or all groups of an IPv6 address, in lower case. */
	@Override
	public String toString() {
		if (isIpv4()) {
			return ((this.low >> 24) & 0xff) + "." + ((this.low >> 16) & 0xff) + "." + ((this.low >> 8) & 0xff) + "."
					+ (this.low & 0xff);
		}
		return IntStream.range(0, GROUPS).mapToObj(this::group).collect(Collectors.joining(":"));
	}

	private static long mask(int bits) {
		if (bits <= 0) {
			return 0;
		}
		return (bits >= Long.SIZE) ? -1 : -1L << (Long.SIZE - bits);
	}

	private static @Nullable IpAddress ipv4(String text) {
		Matcher octets = IPV4.matcher(text);
		if (!octets.matches()) {
			return null;
		}
		long bits = 0xffff;
		for (int i = 1; i <= octets.groupCount(); i++) {
			bits = (bits << 8) | Integer.parseInt(octets.group(i));
		}
		return new IpAddress(0, bits);
	}

	private static @Nullable IpAddress ipv6(String text) {
		int end = text.lastIndexOf(':') + 1;
		if (text.indexOf('.') < 0) {
			return of(groups(text));
		}
		IpAddress ipv4 = ipv4(text.substring(end));
		return (ipv4 != null) ? of(groups(text.substring(0, end) + ipv4.group(6) + ':' + ipv4.group(7))) : null;
	}

	/**
	 * Returns the groups of an IPv6 literal. {@code ::} stands for at least one.
	 */
	private static List<String> groups(String text) {
		int gap = text.indexOf("::");
		if (gap < 0) {
			return split(text);
		}
		List<String> groups = new ArrayList<>(split(text.substring(0, gap)));
		List<String> after = split(text.substring(gap + 2));
		groups.addAll(Collections.nCopies(Math.max(GROUPS - groups.size() - after.size(), 1), "0"));
		groups.addAll(after);
		return groups;
	}

	private static List<String> split(String text) {
		return text.isEmpty() ? List.of() : List.of(text.split(":", -1));
	}

	private static @Nullable IpAddress of(List<String> groups) {
		if (groups.size() != GROUPS || !groups.stream().allMatch(GROUP.asMatchPredicate())) {
			return null;
		}
		long[] bits = new long[2];
		for (int i = 0; i < GROUPS; i++) {
			bits[i / 4] = (bits[i / 4] << 16) | Integer.parseInt(groups.get(i), 16);
		}
		return new IpAddress(bits[0], bits[1]);
	}

	/** Returns one of the eight groups, from 0, in hexadecimal. */
	private String group(int index) {
		long half = (index < 4) ? this.high : this.low;
		int after = 48 - 16 * (index % 4);
		return Long.toHexString((half >>> after) & 0xffff);
	}

}
