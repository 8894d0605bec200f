package io.github.ratelimit.spring.web;

import java.util.List;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Paths that only those patterns match which name them, such as the paths of management
 * endpoints.
 *
 * @param paths patterns of the reserved paths
 * @param names patterns of patterns: each pattern that one of these matches, read as a
 * path, names the reserved paths that it matches
 */
public record ReservedPaths(List<PathPattern> paths, List<PathPattern> names) {

	/** No reserved paths. */
	public static final ReservedPaths NONE = new ReservedPaths(List.of(), List.of());

	public ReservedPaths {
		paths = List.copyOf(paths);
		names = List.copyOf(names);
	}

	boolean areNamedBy(PathPattern pattern) {
		PathContainer text = PathContainer.parsePath(pattern.getPatternString());
		return this.names.stream().anyMatch((name) -> name.matches(text));
	}

}
