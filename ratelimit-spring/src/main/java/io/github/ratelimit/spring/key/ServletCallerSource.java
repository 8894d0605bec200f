package io.github.ratelimit.spring.key;

import java.security.Principal;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;

import io.github.ratelimit.key.CallRequest;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.HostName;
import io.github.ratelimit.key.QueryString;
import io.github.ratelimit.spring.form.PostedForm;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.util.WebUtils;

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

	/** A caller, with the request itself. */
	private record ServletCaller(HttpServletRequest servletRequest) implements SecuredCaller, CallRequest {

		/** The attributes of Spring MVC, which other applications lack. */
		private static final String PATH_VARIABLES = "org.springframework.web.servlet.HandlerMapping.uriTemplateVariables";

		private static final String PATTERN = "org.springframework.web.servlet.HandlerMapping.bestMatchingPattern";

		@Override
		public @Nullable String remoteAddress() {
			return this.servletRequest.getRemoteAddr();
		}

		@Override
		public @Nullable Principal user() {
			return this.servletRequest.getUserPrincipal();
		}

		@Override
		public boolean hasRole(String role) {
			return this.servletRequest.isUserInRole(role);
		}

		@Override
		public CallRequest request() {
			return this;
		}

		@Override
		public @Nullable String header(String name) {
			String value = this.servletRequest.getHeader(name);
			return (value != null) ? value : SecuredCaller.super.header(name);
		}

		@Override
		public List<String> headers(String name) {
			List<String> values = Collections.list(this.servletRequest.getHeaders(name));
			return (values.isEmpty() && HttpHeaders.HOST.equalsIgnoreCase(name)) ? authority() : values;
		}

		/** Returns the {@code :authority} of HTTP/2, of which Tomcat makes no header. */
		private List<String> authority() {
			if (this.servletRequest.getProtocol().startsWith("HTTP/1")) {
				return List.of();
			}
			int port = this.servletRequest.getServerPort();
			int standard = this.servletRequest.getScheme().equals("https") ? 443 : 80;
			return List.of(this.servletRequest.getServerName() + ((port != standard) ? ":" + port : ""));
		}

		@Override
		public String method() {
			return this.servletRequest.getMethod();
		}

		@Override
		public String path() {
			return this.servletRequest.getRequestURI();
		}

		@Override
		public @Nullable String host() {
			return HostName.of(this.servletRequest.getServerName());
		}

		@Override
		public @Nullable String cookie(String name) {
			Cookie cookie = WebUtils.getCookie(this.servletRequest, name);
			return (cookie != null) ? cookie.getValue() : null;
		}

		@Override
		public @Nullable String query(String name) {
			return QueryString.first(this.servletRequest.getQueryString(), name);
		}

		@Override
		public @Nullable String form(String name) {
			return (this.servletRequest.getAttribute(PostedForm.ATTRIBUTE) instanceof PostedForm form) ? form.only(name)
					: null;
		}

		@Override
		@SuppressWarnings("unchecked")
		public Map<String, String> pathVariables() {
			return (this.servletRequest.getAttribute(PATH_VARIABLES) instanceof Map<?, ?> variables)
					? (Map<String, String>) variables : Map.of();
		}

		@Override
		public @Nullable String pattern() {
			Object pattern = this.servletRequest.getAttribute(PATTERN);
			return (pattern != null) ? pattern.toString() : null;
		}

		@Override
		public long size() {
			return this.servletRequest.getContentLengthLong();
		}

	}

}
