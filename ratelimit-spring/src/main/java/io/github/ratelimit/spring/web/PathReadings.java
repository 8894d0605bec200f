package io.github.ratelimit.spring.web;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.springframework.http.server.PathContainer;
import org.springframework.util.StringUtils;
import org.springframework.web.util.UriUtils;

/**
 * The readings of a path. Handlers are mapped by the path as sent. Resource handlers and
 * filters such as {@code UrlHandlerFilter} use a tidied path: decoded, without
 * parameters, dots, backslashes and redundant slashes.
 */
public final class PathReadings {

	private PathReadings() {
	}

	/**
	 * Returns the path as sent and, if it differs, the tidied path.
	 * @param sent the path as sent
	 * @return the readings, at most two
	 */
	public static List<PathContainer> of(PathContainer sent) {
		if (isPlain(sent.value())) {
			return List.of(sent);
		}
		PathContainer tidied = tidied(sent.value());
		return tidied.value().equals(sent.value()) ? List.of(sent) : List.of(sent, tidied);
	}

	/**
	 * Returns whether a path certainly has one reading.
	 * @param path the path as sent
	 * @return whether nothing in it would be tidied
	 */
	public static boolean isPlain(String path) {
		int last = path.length() - 1;
		for (int i = 0; i <= last; i++) {
			char letter = path.charAt(i);
			if (letter == '%' || letter == '\\' || letter == ';' || (letter == '/' && isOddSlash(path, i, last))) {
				return false;
			}
		}
		return true;
	}

	private static boolean isOddSlash(String path, int at, int last) {
		return (at == last) ? at > 0 : path.charAt(at + 1) == '/' || path.charAt(at + 1) == '.';
	}

	private static PathContainer tidied(String path) {
		String decoded = UriUtils.decode(path.replaceAll(";[^/]*", ""), StandardCharsets.UTF_8);
		String cleaned = StringUtils.cleanPath(decoded.replace('\\', '/').replaceAll("/+", "/"));
		String tidied = cleaned.endsWith("/") ? cleaned.substring(0, cleaned.length() - 1) : cleaned;
		return PathContainer.parsePath(UriUtils.encodePath(tidied.isEmpty() ? "/" : tidied, StandardCharsets.UTF_8));
	}

}
