package io.github.ratelimit.spring.grpc;

import java.security.Principal;

import org.jspecify.annotations.Nullable;

import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.ClassUtils;

/**
 * The user whom Spring Security, if present, has authenticated for the current thread. An
 * interceptor of Spring gRPC binds the user to the thread while it starts a call.
 */
final class CurrentUser {

	private static final boolean SECURITY = ClassUtils.isPresent(
			"org.springframework.security.core.context.SecurityContextHolder", CurrentUser.class.getClassLoader());

	private CurrentUser() {
	}

	/** Returns the user, or null without an authenticated one. */
	static @Nullable Principal get() {
		return SECURITY ? Security.user() : null;
	}

	/** The part that needs Spring Security. */
	private static final class Security {

		static @Nullable Principal user() {
			Authentication user = SecurityContextHolder.getContext().getAuthentication();
			return (user != null && user.isAuthenticated() && !(user instanceof AnonymousAuthenticationToken)) ? user
					: null;
		}

	}

}
