package io.github.ratelimit.key;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * A resolver of client addresses. The client is the socket's peer, unless that is a
 * trusted proxy. Then the client is the last address in {@code Forwarded} (RFC 7239) or
 * {@code X-Forwarded-For} that is no trusted proxy, or the address in a header that
 * replaces these. Immutable and thread-safe; no name is ever looked up.
 *
 * <p>
 * If a proxy reports no address, or two headers disagree, the proxy itself is the client:
 * its callers are counted together and cannot choose their keys. Equal addresses are
 * equal keys in any spelling. IPv4 addresses mapped to IPv6 are IPv4 addresses; ports and
 * zones are ignored.
 */
public final class ClientIp implements KeyResolver {

	/** The most proxies between a client and this application. */
	static final int MOST_HOPS = 32;

	private static final int SHORTEST_PREFIX = 48;

	private final List<IpRange> trustedProxies;

	private final int ipv6Prefix;

	private final @Nullable String addressHeader;

	/**
	 * Creates a resolver of client addresses.
	 * @param trustedProxies addresses and ranges, such as {@code 192.0.2.1},
	 * {@code 10.0.0.0/8} and {@code 2001:db8::/32}
	 * @param ipv6Prefix the bits of an IPv6 address that distinguish clients, from 48 to
	 * 128
	 * @throws IllegalArgumentException if one of them is wrong
	 */
	public ClientIp(List<String> trustedProxies, int ipv6Prefix) {
		this(trustedProxies, ipv6Prefix, null);
	}

	/**
	 * Creates a resolver of client addresses that reads a header of a content delivery
	 * network first.
	 * @param trustedProxies addresses and ranges, as for {@link #ClientIp(List, int)}
	 * @param ipv6Prefix the bits of an IPv6 address that distinguish clients, from 48 to
	 * 128
	 * @param addressHeader the header in which each trusted proxy passes on the client's
	 * address, and no other entry, such as {@code CF-Connecting-IP}; {@code null} for
	 * none. It is read from trusted proxies alone
	 * @throws IllegalArgumentException if one of them is wrong
	 */
	public ClientIp(List<String> trustedProxies, int ipv6Prefix, @Nullable String addressHeader) {
		if (ipv6Prefix < SHORTEST_PREFIX || ipv6Prefix > IpAddress.BITS) {
			throw new IllegalArgumentException(
					"an IPv6 prefix must be from " + SHORTEST_PREFIX + " to " + IpAddress.BITS + ", was " + ipv6Prefix);
		}
		this.trustedProxies = trustedProxies.stream().map(IpRange::parse).toList();
		this.ipv6Prefix = ipv6Prefix;
		this.addressHeader = addressHeader;
	}

	/**
	 * Returns the address of a call's client.
	 * @param context the context of the call
	 * @return an IPv4 address, or the prefix of an IPv6 address; {@code null} if the
	 * socket's peer has no address
	 */
	@Override
	public @Nullable String resolve(CallContext context) {
		IpAddress client = client(context.caller());
		return (client != null) ? keyOf(client) : null;
	}

	/**
	 * Returns the key of a client with an address.
	 * @param address an address in any spelling, or a resolved key
	 * @return an IPv4 address, or the prefix of an IPv6 address
	 * @throws IllegalArgumentException if it is no address
	 */
	public String keyOf(String address) {
		String prefix = "/" + this.ipv6Prefix;
		String plain = address.endsWith(prefix) ? address.substring(0, address.length() - prefix.length()) : address;
		IpAddress parsed = IpAddress.parse(plain);
		if (parsed == null) {
			throw new IllegalArgumentException("the key has no IP address");
		}
		return keyOf(parsed);
	}

	private String keyOf(IpAddress client) {
		return client.isIpv4() ? client.toString() : client.prefix(this.ipv6Prefix) + "/" + this.ipv6Prefix;
	}

	/**
	 * Returns a test for clients in a range.
	 * @param range an address or a range, such as {@code 192.0.2.1} and
	 * {@code 10.0.0.0/8}
	 * @return matches a call if its client's address is in the range
	 * @throws IllegalArgumentException if it is no range
	 */
	public Predicate<CallContext> within(String range) {
		IpRange parsed = IpRange.parse(range);
		return (call) -> {
			IpAddress client = client(call.caller());
			return client != null && parsed.contains(client);
		};
	}

	/**
	 * Returns a test for clients in any of many ranges, which takes as long for one range
	 * as for thousands.
	 * @param ranges addresses or ranges
	 * @return matches a call if its client's address is in a range
	 * @throws IllegalArgumentException if one is no range
	 */
	public Predicate<CallContext> withinAny(Collection<String> ranges) {
		Map<Integer, Set<IpRange>> byLength = ranges.stream()
			.map(IpRange::parse)
			.collect(Collectors.groupingBy(IpRange::bits, Collectors.toSet()));
		return (call) -> {
			IpAddress client = client(call.caller());
			return client != null && byLength.entrySet().stream().anyMatch((entry) -> {
				IpRange range = IpRange.of(client, entry.getKey());
				return entry.getValue().contains(range) && range.contains(client);
			});
		};
	}

	/**
	 * Returns whether the client of a key is in a range.
	 * @param range an address or a range
	 * @param key a resolved key
	 * @return whether the range contains the address, or the first one of a prefix
	 * @throws IllegalArgumentException if the range is no range
	 */
	public static boolean isWithin(String range, String key) {
		int slash = key.indexOf('/');
		IpAddress address = IpAddress.parse((slash < 0) ? key : key.substring(0, slash));
		return address != null && IpRange.parse(range).contains(address);
	}

	/**
	 * Checks that a range is narrow enough to name single networks: at least 8 bits of an
	 * IPv4 address or 32 of an IPv6 address.
	 * @param range an address or a range
	 * @throws IllegalArgumentException if it is no range or too wide
	 */
	public static void requireNarrow(String range) {
		IpRange parsed = IpRange.parse(range);
		int shortest = parsed.network().isIpv4() ? IpAddress.MAPPED + 8 : 32;
		if (parsed.bits() < shortest) {
			throw new IllegalArgumentException(
					"'" + range + "' is too wide: a range has a prefix of at least 8 bits, or 32 for IPv6");
		}
	}

	private @Nullable IpAddress client(Caller caller) {
		IpAddress peer = ForwardedNode.address(caller.remoteAddress());
		if (peer == null || !isTrusted(peer)) {
			return peer;
		}
		List<String> reported = (this.addressHeader != null) ? caller.headers(this.addressHeader) : List.of();
		return reported.isEmpty() ? beyond(peer, caller) : reported(peer, reported);
	}

	/** Returns the only address in a header, or the proxy that sent anything else. */
	private static IpAddress reported(IpAddress proxy, List<String> lines) {
		IpAddress client = (lines.size() == 1) ? ForwardedNode.address(lines.get(0).strip()) : null;
		return (client != null) ? client : proxy;
	}

	/**
	 * Follows both headers at once. A header that no proxy maintains may be forged by the
	 * client: it may end before the other, but never contradict it.
	 */
	private IpAddress beyond(IpAddress proxy, Caller caller) {
		Iterator<String> forwarded = new ForwardedEntries(caller.headers("Forwarded"));
		Iterator<String> forwardedFor = new ForwardedEntries(caller.headers("X-Forwarded-For"));
		IpAddress hop = proxy;
		for (int hops = 0; hops < MOST_HOPS && (forwarded.hasNext() || forwardedFor.hasNext()); hops++) {
			IpAddress next = next(forwarded, forwardedFor);
			if (next == null || !isTrusted(next)) {
				return (next != null) ? next : hop;
			}
			hop = next;
		}
		return hop;
	}

	private static @Nullable IpAddress next(Iterator<String> forwarded, Iterator<String> forwardedFor) {
		if (!forwarded.hasNext()) {
			return ForwardedNode.address(forwardedFor.next());
		}
		IpAddress reported = ForwardedNode.addressFor(forwarded.next());
		if (reported == null || !forwardedFor.hasNext()) {
			return reported;
		}
		return reported.equals(ForwardedNode.address(forwardedFor.next())) ? reported : null;
	}

	private boolean isTrusted(IpAddress address) {
		for (IpRange range : this.trustedProxies) {
			if (range.contains(address)) {
				return true;
			}
		}
		return false;
	}

}
