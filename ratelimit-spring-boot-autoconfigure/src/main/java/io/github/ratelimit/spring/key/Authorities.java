package io.github.ratelimit.spring.key;

import java.security.Principal;

import org.springframework.security.core.Authentication;

/**
 * The authorities that Spring Security, if present, grants to users. Reactive requests
 * need this; servlet requests know the roles of their user.
 */
final class Authorities {

	private static final String PREFIX = "ROLE_";

	private Authorities() {
	}

	/** Returns whether a user has a role. */
	static boolean hasRole(Principal user, String role) {
		return user instanceof Authentication authentication && authentication.getAuthorities()
			.stream()
			.anyMatch((authority) -> (PREFIX + role).equals(authority.getAuthority()));
	}

}
