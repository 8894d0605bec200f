package io.github.ratelimit.spring.web;

import java.util.List;

import io.github.ratelimit.key.Caller;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
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

	private final @Nullable ApplicationContext server;

	/** All paths are of one request, which its parts may read in different ways. */
	RuleRequest(HttpMethod method, List<PathContainer> paths, Caller caller, @Nullable ApplicationContext server) {
		this.method = method;
		this.paths = paths;
		this.caller = caller;
		this.server = server;
	}

	HttpMethod method() {
		return this.method;
	}

	Caller caller() {
		return this.caller;
	}

	/** The context of the server that got the request, if known. */
	@Nullable ApplicationContext server() {
		return this.server;
	}

	/** Whether a pattern matches the path in any way that it may be read. */
	boolean matches(PathPattern pattern) {
		for (PathContainer path : this.paths) {
			if (pattern.matches(path)) {
				return true;
			}
		}
		return false;
	}

	/** Whether patterns match the path in every way that it may be read. */
	boolean isWithin(List<PathPattern> patterns) {
		for (PathContainer path : this.paths) {
			if (!isWithin(path, patterns)) {
				return false;
			}
		}
		return true;
	}

	private static boolean isWithin(PathContainer path, List<PathPattern> patterns) {
		for (PathPattern pattern : patterns) {
			if (pattern.matches(path)) {
				return true;
			}
		}
		return false;
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
