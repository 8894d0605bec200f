package io.github.ratelimit.spring.check;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.web.RateLimitRule;

import org.springframework.web.util.pattern.PathPattern;

/**
 * A check for rules on paths such as {@code /a/*}, where endpoints such as {@code /a/b/c}
 * exist that no rule or annotation limits.
 *
 * @param methods the limited methods
 * @param rules supplies the rules
 * @param endpoints supplies the endpoints
 */
public record ShallowRules(RateLimitedMethods methods, Supplier<List<RateLimitRule>> rules,
		Supplier<List<Endpoint>> endpoints) implements StartCheck {

	private static final String ONE_SEGMENT = "/*";

	@Override
	public Stream<Finding> findings() {
		return this.rules.get()
			.stream()
			.flatMap((rule) -> rule.paths()
				.stream()
				.map(PathPattern::getPatternString)
				.filter((path) -> path.endsWith(ONE_SEGMENT))
				.flatMap((path) -> deeper(path).limit(1).map((endpoint) -> finding(path, endpoint))));
	}

	private Stream<Endpoint> deeper(String path) {
		String parent = path.substring(0, path.length() - 1);
		return this.endpoints.get()
			.stream()
			.filter((endpoint) -> endpoint.path().startsWith(parent)
					&& endpoint.path().indexOf('/', parent.length()) > 0 && !isLimited(endpoint));
	}

	private boolean isLimited(Endpoint endpoint) {
		return this.methods.find(endpoint.method(), endpoint.type()) != null
				|| this.rules.get().stream().anyMatch(endpoint::isLimitedBy);
	}

	private static Finding finding(String path, Endpoint endpoint) {
		return new Finding(Kind.SHALLOW_RULE, path, "The rule on '" + path + "' does not limit '" + endpoint.path()
				+ "', as '*' is one segment of a path. Write '" + path + "*' to limit everything below.");
	}

}
