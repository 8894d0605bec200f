package io.github.ratelimit.key;

import java.security.Principal;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What is known of whoever sent the request that a call serves. Every part may be
 * missing: a call made outside a request has no caller.
 */
public interface Caller {

	/** Nobody: a call made outside any request. */
	Caller NONE = new Caller() {
	};

	/**
	 * The address of the socket's other end.
	 * @return an IP literal, or {@code null} if there is none
	 */
	default @Nullable String remoteAddress() {
		return null;
	}

	/**
	 * The name of the authenticated user.
	 * @return the name, or {@code null} if nobody is authenticated
	 */
	default @Nullable String principal() {
		Principal user = user();
		return (user != null) ? user.getName() : null;
	}

	/**
	 * The authenticated user, as the application's security knows it.
	 * @return the user, or {@code null} if nobody is authenticated
	 */
	default @Nullable Principal user() {
		return null;
	}

	/**
	 * Whether the authenticated user has a role.
	 * @param role the role's name, without {@code ROLE_}
	 * @return whether the user has it; {@code false} if nobody is authenticated
	 */
	default boolean hasRole(String role) {
		return false;
	}

	/**
	 * A header of the request.
	 * @param name the header's name, in any case
	 * @return the values of all its lines as sent, in order; empty if it is absent
	 */
	default List<String> headers(String name) {
		return List.of();
	}

	/**
	 * The first line of a header of the request.
	 * @param name the header's name, in any case
	 * @return its value as sent, or {@code null} if it is absent
	 */
	default @Nullable String header(String name) {
		List<String> values = headers(name);
		return values.isEmpty() ? null : values.get(0);
	}

}
