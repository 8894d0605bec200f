package io.github.ratelimit.spring.check;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * The paths that an application serves.
 *
 * @param patterns the patterns of handlers
 * @param resources whether there may be a static resource at a path, or below one that
 * ends with a slash
 */
public record ServedPaths(List<String> patterns, Predicate<String> resources) {

	/** A variable of a pattern, with its regular expression. */
	private static final Pattern VARIABLE = Pattern.compile("\\{([*]?)[^/]*\\}");

	private static final Pattern ANY = Pattern.compile("[{*?]");

	/** Returns whether a pattern may match a path that is served. */
	boolean mayInclude(String pattern) {
		String simple = simple(pattern);
		return hasResource(simple)
				|| this.patterns.stream().map(ServedPaths::simple).anyMatch((served) -> overlap(served, simple));
	}

	private boolean hasResource(String pattern) {
		String fixed = ANY.split(pattern, 2)[0];
		String path = (fixed.length() == pattern.length()) ? fixed : fixed.substring(0, fixed.lastIndexOf('/') + 1);
		return this.resources.test(path);
	}

	private static boolean overlap(String one, String other) {
		return matches(one, example(other)) || matches(other, example(one));
	}

	private static boolean matches(String pattern, String path) {
		try {
			PathPattern parsed = PathPatternParser.defaultInstance.parse(pattern);
			return parsed.matches(PathContainer.parsePath(path));
		}
		catch (PatternParseException ex) {
			return true; // not known
		}
	}

	/** Returns a pattern without regular expressions. */
	private static String simple(String pattern) {
		return VARIABLE.matcher(pattern).replaceAll((variable) -> variable.group(1).isEmpty() ? "*" : "**");
	}

	private static String example(String pattern) {
		return pattern.replaceAll("[*]+", "x").replace('?', 'x');
	}

}
