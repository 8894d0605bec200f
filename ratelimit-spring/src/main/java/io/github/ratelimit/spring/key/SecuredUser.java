package io.github.ratelimit.spring.key;

import java.security.Principal;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.core.ClaimAccessor;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.util.ClassUtils;

/**
 * The authorities and claims of users whom Spring Security, if present, authenticates.
 */
final class SecuredUser {

	private static final String PREFIX = "ROLE_";

	private static final boolean SECURITY = isPresent("org.springframework.security.core.Authentication");

	private static final boolean OAUTH2 = isPresent("org.springframework.security.oauth2.core.ClaimAccessor");

	private SecuredUser() {
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, SecuredUser.class.getClassLoader());
	}

	/** Returns whether a user has a role. */
	static boolean hasRole(@Nullable Principal user, String role) {
		return SECURITY && Security.authorities(user).anyMatch((PREFIX + role)::equals);
	}

	/** Returns the names of a user's authorities. */
	static Set<String> authorities(@Nullable Principal user) {
		return SECURITY ? Security.authorities(user).collect(Collectors.toUnmodifiableSet()) : Set.of();
	}

	/** Returns a claim of a user's token or identity provider. */
	static @Nullable Object claim(@Nullable Principal user, String name) {
		return OAUTH2 ? OAuth2.claim(user, name) : null;
	}

	/** The part that needs Spring Security. */
	private static final class Security {

		static Stream<String> authorities(@Nullable Principal user) {
			return (user instanceof Authentication authentication)
					? authentication.getAuthorities().stream().flatMap(Security::name) : Stream.empty();
		}

		private static Stream<String> name(GrantedAuthority authority) {
			return Stream.ofNullable(authority.getAuthority());
		}

	}

	/** The part that needs Spring Security's OAuth 2. */
	private static final class OAuth2 {

		static @Nullable Object claim(@Nullable Principal user, String name) {
			return (user instanceof Authentication authentication)
					? Stream.of(authentication.getPrincipal(), authentication.getCredentials())
						.map((source) -> claimOf(source, name))
						.filter(Objects::nonNull)
						.findFirst()
						.orElse(null)
					: null;
		}

		private static @Nullable Object claimOf(@Nullable Object source, String name) {
			if (source instanceof ClaimAccessor token) {
				return token.getClaims().get(name);
			}
			return (source instanceof OAuth2AuthenticatedPrincipal principal) ? principal.getAttributes().get(name)
					: null;
		}

	}

}
