package io.github.ratelimit.key;

import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * A resolver of client addresses. The client is the socket's peer, unless that is a
 * trusted proxy. Then the client is the last address in {@code Forwarded} (RFC 7239) or
 * {@code X-Forwarded-For} that is no trusted proxy. Immutable and thread-safe; no name is
 * ever looked up.
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

	/**
	 * Creates a resolver of client addresses.
	 * @param trustedProxies addresses and ranges, such as {@code 192.0.2.1},
	 * {@code 10.0.0.0/8} and {@code 2001:db8::/32}
	 * @param ipv6Prefix the bits of an IPv6 address that distinguish clients, from 48 to
	 * 128
	 * @throws IllegalArgumentException if one of them is wrong
	 */
	public ClientIp(List<String> trustedProxies, int ipv6Prefix) {
		if (ipv6Prefix < SHORTEST_PREFIX || ipv6Prefix > IpAddress.BITS) {
			throw new IllegalArgumentException(
					"an IPv6 prefix must be from " + SHORTEST_PREFIX + " to " + IpAddress.BITS + ", was " + ipv6Prefix);
		}
		this.trustedProxies = trustedProxies.stream().map(IpRange::parse).toList();
		this.ipv6Prefix = ipv6Prefix;
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
		if (client == null || client.isIpv4()) {
			return (client != null) ? client.toString() : null;
		}
		return client.prefix(this.ipv6Prefix) + "/" + this.ipv6Prefix;
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

	private @Nullable IpAddress client(Caller caller) {
		IpAddress peer = ForwardedNode.address(caller.remoteAddress());
		return (peer != null && isTrusted(peer)) ? beyond(peer, caller) : peer;
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
