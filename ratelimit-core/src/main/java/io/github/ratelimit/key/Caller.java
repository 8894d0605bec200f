package io.github.ratelimit.key;

import java.security.Principal;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The sender of the request that a call serves. Every part may be missing, as calls
 * outside a request have no caller.
 */
public interface Caller {

	/** The caller of a call outside any request, without any parts. */
	Caller NONE = new Caller() {
	};

	/**
	 * Returns the address of the socket's peer.
	 * @return an IP literal, or {@code null} if there is none
	 */
	default @Nullable String remoteAddress() {
		return null;
	}

	/**
	 * Returns the name of the authenticated user.
	 * @return the name, or {@code null} without an authenticated user
	 */
	default @Nullable String principal() {
		Principal user = user();
		return (user != null) ? user.getName() : null;
	}

	/**
	 * Returns the authenticated user, as provided by the application's security.
	 * @return the user, or {@code null} without an authenticated user
	 */
	default @Nullable Principal user() {
		return null;
	}

	/**
	 * Returns whether the authenticated user has a role.
	 * @param role the role's name, without {@code ROLE_}
	 * @return whether the user has it; {@code false} without an authenticated user
	 */
	default boolean hasRole(String role) {
		return false;
	}

	/**
	 * Returns what the authenticated user is allowed to do.
	 * @return the names of authorities, such as {@code ROLE_ADMIN}; empty without an
	 * authenticated user
	 */
	default Set<String> authorities() {
		return Set.of();
	}

	/**
	 * Returns a claim about the authenticated user, as its token or identity provider
	 * states it.
	 * @param name the claim's name
	 * @return the claim's value, or {@code null} if there is none
	 */
	default @Nullable Object claim(String name) {
		return null;
	}

	/**
	 * Returns the connection that many calls of the caller share, such as the session of
	 * a WebSocket.
	 * @return an identifier, or {@code null} if each call is a request of its own
	 */
	default @Nullable String session() {
		return null;
	}

	/**
	 * Returns the request that the call serves.
	 * @return the request, or {@code null} outside any request
	 */
	default @Nullable CallRequest request() {
		return null;
	}

	/**
	 * Returns a header of the request.
	 * @param name the header's name, in any case
	 * @return the values of all its lines as sent, in order; empty if it is absent
	 */
	default List<String> headers(String name) {
		return List.of();
	}

	/**
	 * Returns the first line of a header of the request.
	 * @param name the header's name, in any case
	 * @return its value as sent, or {@code null} if it is absent
	 */
	default @Nullable String header(String name) {
		List<String> values = headers(name);
		return values.isEmpty() ? null : values.get(0);
	}

}
