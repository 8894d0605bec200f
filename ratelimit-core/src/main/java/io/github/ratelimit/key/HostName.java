package io.github.ratelimit.key;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * The names of hosts. Requests may spell one name in many ways, and name any port.
 */
public final class HostName {

	private HostName() {
	}

	/**
	 * Returns the one spelling of the host in an authority.
	 * @param authority a host, as in the header {@code Host} or a URI, with or without
	 * user and port; {@code null} if unknown
	 * @return the host in lower case, without the dot that may end it; {@code null} if
	 * there is none
	 */
	public static @Nullable String of(@Nullable String authority) {
		if (authority == null) {
			return null;
		}
		String host = withoutPort(authority.substring(authority.lastIndexOf('@') + 1)).strip();
		String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
		return name.isEmpty() ? null : name.toLowerCase(Locale.ROOT);
	}

	/** Leaves the colons of IPv6 addresses, with or without brackets. */
	private static String withoutPort(String host) {
		int colon = host.lastIndexOf(':');
		boolean isPort = host.startsWith("[") ? colon > host.lastIndexOf(']') : colon == host.indexOf(':');
		return (isPort && colon >= 0) ? host.substring(0, colon) : host;
	}

}
