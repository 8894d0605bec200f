package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The paths that a rule matches only if its pattern names them, such as the paths of
 * management endpoints.
 *
 * @param paths the patterns of the reserved paths
 * @param names the patterns of patterns that name reserved paths. The text of a rule's
 * pattern is matched as a path
 */
public record ReservedPaths(List<PathPattern> paths, List<PathPattern> names) {

	/** No reserved paths. */
	public static final ReservedPaths NONE = new ReservedPaths(List.of(), List.of());

	/**
	 * Copies the lists.
	 * @param paths the patterns of the reserved paths
	 * @param names the patterns of patterns that name reserved paths
	 */
	public ReservedPaths {
		paths = List.copyOf(paths);
		names = List.copyOf(names);
	}

	/**
	 * Returns these paths and others.
	 * @param others the other paths
	 * @return all of them
	 */
	public ReservedPaths and(ReservedPaths others) {
		return new ReservedPaths(Stream.concat(this.paths.stream(), others.paths.stream()).toList(),
				Stream.concat(this.names.stream(), others.names.stream()).toList());
	}

	/** Returns whether a pattern names reserved paths. */
	boolean areNamedBy(PathPattern pattern) {
		PathContainer text = PathContainer.parsePath(pattern.getPatternString());
		return this.names.stream().anyMatch((name) -> name.matches(text));
	}

}
