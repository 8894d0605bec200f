package io.github.ratelimit.spring.check;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.web.RateLimitRule;

import org.springframework.web.util.pattern.PathPattern;

/**
 * A check for rules whose patterns match no path that is served: those that repeat the
 * context path, look like a regular expression, or name a path that does not exist.
 *
 * @param rules supplies the rules
 * @param context the context path of the application
 * @param served supplies the paths that are served, or nothing if they are not known
 */
public record UnmatchedRules(Supplier<List<RateLimitRule>> rules, ContextPath context,
		Supplier<Optional<ServedPaths>> served) implements StartCheck {

	private static final Pattern VARIABLE = Pattern.compile("\\{[^/]*\\}");

	private static final Pattern REGULAR_EXPRESSION = Pattern.compile("[.][*+]|[\\^$|\\\\]");

	@Override
	public Stream<Finding> findings() {
		List<String> patterns = this.rules.get()
			.stream()
			.flatMap((rule) -> rule.paths().stream())
			.map(PathPattern::getPatternString)
			.distinct()
			.toList();
		Optional<ServedPaths> served = patterns.isEmpty() ? Optional.empty() : this.served.get();
		return patterns.stream()
			.filter((pattern) -> served.filter((paths) -> paths.mayInclude(pattern)).isEmpty())
			.flatMap((pattern) -> reason(pattern, served.isPresent()).stream()
				.map((reason) -> new Finding(Kind.UNMATCHED_RULE, pattern,
						"The rule on '" + pattern + "' probably limits nothing: " + reason)));
	}

	private Optional<String> reason(String pattern, boolean isKnown) {
		String context = this.context.path();
		if (!context.isEmpty() && (pattern.equals(context) || pattern.startsWith(context + '/'))) {
			return Optional.of("patterns begin after '" + this.context.property() + "'. Write '"
					+ (pattern.equals(context) ? "/" : pattern.substring(context.length())) + "'.");
		}
		if (REGULAR_EXPRESSION.matcher(VARIABLE.matcher(pattern).replaceAll("")).find()) {
			return Optional.of("it looks like a regular expression, but it is a pattern of paths. Write '**' for "
					+ "everything below a path, and '*' for one segment.");
		}
		return isKnown
				? Optional.of("no controller, servlet or static resource has such a path. Correct the pattern. If a "
						+ "filter serves the path, ignore the finding.")
				: Optional.empty();
	}

	/**
	 * The path below which a server has the application.
	 *
	 * @param property the property that sets it
	 * @param path the path, empty for none
	 */
	public record ContextPath(String property, String path) {

	}

}
