package io.github.ratelimit.spring.check;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.Set;

import io.github.ratelimit.spring.web.RateLimitRule;

import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;

/**
 * A path of the application that a method serves.
 *
 * @param path the pattern of the path
 * @param methods the HTTP methods, empty for any
 * @param method the method
 * @param type the class of the bean
 */
public record Endpoint(String path, Set<HttpMethod> methods, Method method, Class<?> type) {

	/** Returns whether a rule limits requests for this endpoint. */
	boolean isLimitedBy(RateLimitRule rule) {
		boolean hasMethod = rule.methods().isEmpty() || this.methods.isEmpty()
				|| !Collections.disjoint(rule.methods(), this.methods);
		return hasMethod && rule.limits(example());
	}

	/** Returns a path that the pattern matches. */
	private PathContainer example() {
		return PathContainer.parsePath(this.path.replaceAll("\\{[^/]*\\}|\\*+", "x"));
	}

}
