package io.github.ratelimit.spring.web;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The paths of limited handler methods, so that only requests of these need a lookup of
 * their handler. A direct-mapped cache of fixed size keeps the answers for the paths that
 * are requested most. Thread-safe.
 */
public final class LimitedPaths {

	private static final int SLOTS = 256;

	/** The longest path that is kept, as callers choose paths. */
	private static final int LONGEST_PATH = 128;

	/** The patterns; {@code null} for any path. */
	private final @Nullable List<PathPattern> patterns;

	private final @Nullable Known[] slots = new Known[SLOTS];

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
		int hash = sent.hashCode();
		int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
		Known known = this.slots[slot];
		if (known != null && known.sent().equals(sent)) {
			return known.matches();
		}
		boolean matches = matches(patterns, path.get());
		if (sent.length() <= LONGEST_PATH) {
			this.slots[slot] = new Known(sent, matches);
		}
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
