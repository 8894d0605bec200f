package io.github.ratelimit.spring.key;

import java.security.Principal;
import java.util.Collections;
import java.util.List;

import jakarta.servlet.http.HttpServletRequest;

import io.github.ratelimit.key.Caller;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * A source of the callers of servlet requests. It reads the request that Spring binds to
 * the thread.
 */
public final class ServletCallerSource implements CallerSource {

	@Override
	public Caller current() {
		return (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes)
				? of(attributes.getRequest()) : Caller.NONE;
	}

	/**
	 * Returns the caller of a request.
	 * @param request a request
	 * @return its caller
	 */
	public Caller of(HttpServletRequest request) {
		return new ServletCaller(request);
	}

	private record ServletCaller(HttpServletRequest request) implements Caller {

		@Override
		public @Nullable String remoteAddress() {
			return this.request.getRemoteAddr();
		}

		@Override
		public @Nullable Principal user() {
			return this.request.getUserPrincipal();
		}

		@Override
		public boolean hasRole(String role) {
			return this.request.isUserInRole(role);
		}

		@Override
		public List<String> headers(String name) {
			return Collections.list(this.request.getHeaders(name));
		}

	}

}
