package io.github.ratelimit.test.user;

import jakarta.servlet.http.HttpServletRequest;

import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.key.MessageCallerSource;
import io.github.ratelimit.spring.key.ServletCallerSource;

import org.springframework.core.Ordered;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.web.servletapi.SecurityContextHolderAwareRequestWrapper;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * A source of the users of tests that call a service within the mock request of Spring's
 * test framework. The request has no user, as no filter of Spring Security saw it; the
 * security context of the test has one, for example by {@code @WithMockUser}. Precedes
 * the {@link ServletCallerSource}.
 */
final class MockRequestUser implements MessageCallerSource, Ordered {

	private static final String ROLE_PREFIX = "ROLE_";

	private final ServletCallerSource requests = new ServletCallerSource();

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public Caller current() {
		return (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes
				&& attributes.getRequest() instanceof MockHttpServletRequest request
				&& request.getUserPrincipal() == null) ? withUser(request) : Caller.NONE;
	}

	private Caller withUser(HttpServletRequest request) {
		return this.requests.of(new SecurityContextHolderAwareRequestWrapper(request, ROLE_PREFIX));
	}

}
