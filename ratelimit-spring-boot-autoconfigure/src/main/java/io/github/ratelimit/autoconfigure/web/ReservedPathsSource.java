package io.github.ratelimit.autoconfigure.web;

import java.util.function.Function;

import io.github.ratelimit.spring.web.ReservedPaths;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * A source of the paths that rules skip unless they name them.
 */
@FunctionalInterface
interface ReservedPathsSource {

	/**
	 * Returns the reserved paths by the application context of a server.
	 * @param parser the parser of patterns
	 * @return a function that resolves the paths at the first request of each server
	 */
	Function<@Nullable ApplicationContext, ReservedPaths> parsedBy(PathPatternParser parser);

}
