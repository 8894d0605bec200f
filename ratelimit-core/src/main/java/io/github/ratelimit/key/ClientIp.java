package io.github.ratelimit.key;

import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Finds the address of a client. It is the socket's other end, unless that is a proxy
 * that is trusted to tell from where it was called, in {@code Forwarded} (RFC 7239) or
 * {@code X-Forwarded-For}: then the last address told that is no trusted proxy. Immutable
 * and thread-safe; no name is ever looked up.
 *
 * <p>
 * Where a proxy does not tell an address, or two headers tell different ones, the proxy
 * itself is the client: callers are counted together rather than as they please. Equal
 * addresses are equal keys, however they are spelt; IPv4 addresses that are mapped to
 * IPv6 are IPv4 addresses, and ports and zones do not count.
 */
public final class ClientIp implements KeyResolver {

	/** How many proxies may stand between a client and this application. */
	static final int MOST_HOPS = 32;

	private static final int SHORTEST_PREFIX = 48;

	private final List<IpRange> trustedProxies;

	private final int ipv6Prefix;

	/**
	 * A finder of clients.
	 * @param trustedProxies addresses and ranges, such as {@code 192.0.2.1},
	 * {@code 10.0.0.0/8} and {@code 2001:db8::/32}
	 * @param ipv6Prefix how many bits of an IPv6 address tell clients apart, from 48 to
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
	 * The address of a call's client.
	 * @param context what is known of the call
	 * @return an IPv4 address, or the prefix of an IPv6 address; {@code null} if the
	 * socket's other end has no address
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
	 * Whether calls come from clients in a range.
	 * @param range an address or a range, such as {@code 192.0.2.1} and
	 * {@code 10.0.0.0/8}
	 * @return holds for a call whose client's address is in the range
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
	 * Follows both headers at once, as one that no proxy keeps is the client's own
	 * invention: it may end before the other, but never contradict it.
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
		IpAddress told = ForwardedNode.addressFor(forwarded.next());
		if (told == null || !forwardedFor.hasNext()) {
			return told;
		}
		return told.equals(ForwardedNode.address(forwardedFor.next())) ? told : null;
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
