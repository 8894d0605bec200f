package io.github.ratelimit.spring.web;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.key.Memo;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The paths of limited handler methods, so that only requests of these need a lookup of
 * their handler. Keeps the answers for the paths that are requested most. Thread-safe.
 */
public final class LimitedPaths {

	/** The patterns; {@code null} for any path. */
	private final @Nullable List<PathPattern> patterns;

	private final Memo<Known> paths = new Memo<>(256);

	private LimitedPaths(@Nullable List<PathPattern> patterns) {
		this.patterns = patterns;
	}

	/**
	 * Returns the paths of handler methods.
	 * @param limited the patterns of each limited method, {@code null} if it is mapped by
	 * other means
	 * @return the paths
	 */
	public static LimitedPaths of(Collection<? extends @Nullable Collection<PathPattern>> limited) {
		List<PathPattern> all = new ArrayList<>();
		for (Collection<PathPattern> patterns : limited) {
			if (patterns == null) {
				return new LimitedPaths(null);
			}
			all.addAll(patterns);
		}
		return new LimitedPaths(List.copyOf(all));
	}

	/**
	 * Returns whether there may be a limited handler method at a path.
	 * @param sent the path as sent
	 * @param path supplies the path by which handlers are found, always the same for a
	 * path as sent
	 * @return {@code false} if there is certainly none
	 */
	public boolean mayHave(String sent, Supplier<PathContainer> path) {
		List<PathPattern> patterns = this.patterns;
		if (patterns == null || patterns.isEmpty()) {
			return patterns == null;
		}
		Known known = this.paths.get(sent, 0);
		if (known != null && known.sent().equals(sent)) {
			return known.matches();
		}
		boolean matches = matches(patterns, path.get());
		this.paths.put(sent, 0, new Known(sent, matches));
		return matches;
	}

	private static boolean matches(List<PathPattern> patterns, PathContainer path) {
		for (PathPattern pattern : patterns) {
			if (pattern.matches(path)) {
				return true;
			}
		}
		return false;
	}

	/** Whether a path matches. */
	private record Known(String sent, boolean matches) {

	}

}
