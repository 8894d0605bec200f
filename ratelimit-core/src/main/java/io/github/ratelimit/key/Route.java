package io.github.ratelimit.key;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

/**
 * A namer of what calls reach, such as the pattern of a controller. The application's
 * code bounds the names: none contains a value that a caller sends. Implementations are
 * thread-safe.
 */
@FunctionalInterface
public interface Route {

	/** The route of calls that reach nothing with a name. */
	Route NONE = (request) -> null;

	/**
	 * Returns the name of what a call reaches.
	 * @param request the request that the call serves; {@code null} outside any request
	 * @return a name such as {@code GET /orders/{id}}, or {@code null} if there is none
	 */
	@Nullable String of(@Nullable CallRequest request);

	/**
	 * Returns the name of what serves requests whose path matches a pattern.
	 * @param methods the HTTP methods that it serves, in order; empty for any
	 * @param pattern the pattern; empty for the root
	 * @return a name such as {@code GET|POST /orders/{id}}
	 */
	static String named(Collection<String> methods, String pattern) {
		String path = pattern.isEmpty() ? "/" : pattern;
		return methods.isEmpty() ? path : String.join("|", methods) + ' ' + path;
	}

}
