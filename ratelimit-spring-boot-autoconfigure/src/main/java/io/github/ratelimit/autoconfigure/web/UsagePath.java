package io.github.ratelimit.autoconfigure.web;

import java.util.List;
import java.util.function.Function;

import io.github.ratelimit.spring.web.ReservedPaths;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The path at which callers look up their own limits. Looking is free, so that rules skip
 * the path unless they name it.
 *
 * @param value the path
 */
record UsagePath(String value) implements ReservedPathsSource {

	@Override
	public Function<@Nullable ApplicationContext, ReservedPaths> parsedBy(PathPatternParser parser) {
		List<PathPattern> path = List.of(parser.parse(this.value));
		ReservedPaths reserved = new ReservedPaths(path, path);
		return (server) -> reserved;
	}

}
