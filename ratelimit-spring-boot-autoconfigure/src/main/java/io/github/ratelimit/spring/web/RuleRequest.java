package io.github.ratelimit.spring.web;

import java.util.List;

import io.github.ratelimit.key.Caller;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * What a rule sees of a request, and the {@code #request} of its condition.
 */
public final class RuleRequest {

	private final HttpMethod method;

	private final List<PathContainer> paths;

	private final Caller caller;

	/** All paths are of one request, which its parts may read in different ways. */
	RuleRequest(HttpMethod method, List<PathContainer> paths, Caller caller) {
		this.method = method;
		this.paths = paths;
		this.caller = caller;
	}

	HttpMethod method() {
		return this.method;
	}

	Caller caller() {
		return this.caller;
	}

	boolean matchesOneOf(List<PathPattern> patterns) {
		return patterns.stream().anyMatch((pattern) -> this.paths.stream().anyMatch(pattern::matches));
	}

	/**
	 * The request's method.
	 * @return such as {@code GET}
	 */
	public String getMethod() {
		return this.method.name();
	}

	/**
	 * The name of the authenticated user.
	 * @return the name, or {@code null} if nobody is authenticated, or not yet
	 */
	public @Nullable String getPrincipal() {
		return this.caller.principal();
	}

	/**
	 * A header of the request.
	 * @param name the header's name, in any case
	 * @return its first value, or {@code null} if it is absent
	 */
	public @Nullable String header(String name) {
		return this.caller.header(name);
	}

}
