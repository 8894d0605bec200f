package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.ratelimit.key.Caller;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The view of a request that rules have, and the {@code #request} of their conditions.
 */
public final class RuleRequest {

	private final HttpMethod method;

	/** The readings of the path; {@code null} until the only one is parsed. */
	private @Nullable List<PathContainer> paths;

	private final @Nullable String onlyPath;

	private final Caller caller;

	private final @Nullable ApplicationContext server;

	/**
	 * Creates the view of a request.
	 * @param method the method of the request
	 * @param paths the readings of its path
	 * @param caller the caller
	 * @param server the context of the server that got the request, if known
	 */
	public RuleRequest(HttpMethod method, List<PathContainer> paths, Caller caller,
			@Nullable ApplicationContext server) {
		this.method = method;
		this.paths = paths;
		this.onlyPath = (paths.size() == 1) ? paths.get(0).value() : null;
		this.caller = caller;
		this.server = server;
	}

	/**
	 * Creates the view of a request whose path has one reading. It is parsed if needed.
	 * @param method the method of the request
	 * @param path the path
	 * @param caller the caller
	 * @param server the context of the server that got the request, if known
	 */
	public RuleRequest(HttpMethod method, String path, Caller caller, @Nullable ApplicationContext server) {
		this.method = method;
		this.onlyPath = path;
		this.caller = caller;
		this.server = server;
	}

	/** Returns the path if it has one reading, or else null. */
	@Nullable String onlyPath() {
		return this.onlyPath;
	}

	private List<PathContainer> paths() {
		List<PathContainer> parsed = this.paths;
		if (parsed == null) {
			parsed = List.of(PathContainer.parsePath(Objects.requireNonNull(this.onlyPath)));
			this.paths = parsed;
		}
		return parsed;
	}

	/**
	 * Returns the method.
	 * @return the request's method
	 */
	public HttpMethod method() {
		return this.method;
	}

	/**
	 * Returns the caller.
	 * @return the caller
	 */
	public Caller caller() {
		return this.caller;
	}

	/** Returns the context of the server that got the request, or null if unknown. */
	@Nullable ApplicationContext server() {
		return this.server;
	}

	/** Returns whether a pattern matches any reading of the path. */
	boolean matches(PathPattern pattern) {
		for (PathContainer path : paths()) {
			if (pattern.matches(path)) {
				return true;
			}
		}
		return false;
	}

	/** Returns whether patterns match every reading of the path. */
	boolean isWithin(List<PathPattern> patterns) {
		for (PathContainer path : paths()) {
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

	/** Returns whether the path has one reading. */
	boolean hasOneReading() {
		return this.onlyPath != null;
	}

	/**
	 * Returns the match of each reading of the path that some pattern matches: that of
	 * the first pattern with variables, or of the first. Readings often have the same.
	 */
	List<Match> matches(List<PathPattern> patterns) {
		return paths().stream()
			.flatMap((path) -> patterns.stream()
				.flatMap((pattern) -> Match.of(pattern, path))
				.reduce((first, next) -> first.variables().isEmpty() && !next.variables().isEmpty() ? next : first)
				.stream())
			.distinct()
			.toList();
	}

	/**
	 * A pattern that matches a path.
	 *
	 * @param pattern the pattern
	 * @param variables the variables of the path by name
	 */
	record Match(PathPattern pattern, Map<String, String> variables) {

		private static Stream<Match> of(PathPattern pattern, PathContainer path) {
			PathPattern.PathMatchInfo match = pattern.matchAndExtract(path);
			return (match != null) ? Stream.of(new Match(pattern, match.getUriVariables())) : Stream.empty();
		}

	}

}
