package io.github.ratelimit.spring.key;

import java.security.Principal;

import org.springframework.security.core.Authentication;

/**
 * What Spring Security, where it is there, lets users do. In a servlet container the
 * request knows.
 */
final class Authorities {

	private static final String PREFIX = "ROLE_";

	private Authorities() {
	}

	static boolean hasRole(Principal user, String role) {
		return user instanceof Authentication authentication && authentication.getAuthorities()
			.stream()
			.anyMatch((authority) -> (PREFIX + role).equals(authority.getAuthority()));
	}

}
