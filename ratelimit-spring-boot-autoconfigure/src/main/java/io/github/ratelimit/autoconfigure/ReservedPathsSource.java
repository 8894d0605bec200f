package io.github.ratelimit.autoconfigure;

import java.util.function.Function;

import io.github.ratelimit.spring.web.ReservedPaths;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Knows which paths rules leave out that do not name them.
 */
@FunctionalInterface
interface ReservedPathsSource {

	/**
	 * The reserved paths on the server of an application context.
	 * @param parser of the rules' patterns
	 * @return found at the first request of each server
	 */
	Function<@Nullable ApplicationContext, ReservedPaths> parsedBy(PathPatternParser parser);

}
