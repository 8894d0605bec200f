package io.github.ratelimit.spring.check;

import java.lang.reflect.Method;

import org.springframework.http.server.PathContainer;

/**
 * A path of the application that a method serves.
 *
 * @param path the pattern of the path
 * @param method the method
 * @param type the class of the bean
 */
public record Endpoint(String path, Method method, Class<?> type) {

	/** Returns a path that the pattern matches. */
	PathContainer example() {
		return PathContainer.parsePath(this.path.replaceAll("\\{[^}]*\\}|\\*+", "x"));
	}

}
