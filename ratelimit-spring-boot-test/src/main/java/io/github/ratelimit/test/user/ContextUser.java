package io.github.ratelimit.test.user;

import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.key.MessageCallerSource;
import io.github.ratelimit.spring.key.SecuredCaller;

import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * A source of the users of tests that call a service outside any request: the user of the
 * thread's security context, for example by {@code @WithMockUser}.
 */
final class ContextUser implements MessageCallerSource {

	private final AuthenticationTrustResolver trust = new AuthenticationTrustResolverImpl();

	@Override
	public Caller current() {
		Authentication user = SecurityContextHolder.getContext().getAuthentication();
		return (user != null && this.trust.isAuthenticated(user)) ? new User(user) : Caller.NONE;
	}

	/** A user without a request. */
	private record User(Authentication user) implements SecuredCaller {

	}

}
