package io.github.ratelimit.autoconfigure.properties;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.RuleProperties;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.key.CallExpression;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKey;
import io.github.ratelimit.spring.web.RateLimitRule;
import io.github.ratelimit.spring.web.RuleRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

import static io.github.ratelimit.autoconfigure.properties.PropertyCheck.checked;

/**
 * A reader of rules. An invalid property stops it with an exception that names the
 * property.
 */
public final class RuleReader {

	private static final List<HttpMethod> METHODS = List.of(HttpMethod.values());

	private static final String REQUEST = "request";

	private final KeyResolvers keys;

	private final PathPatternParser paths;

	/**
	 * Creates a reader.
	 * @param keys creates the key resolvers of policies
	 * @param paths the parser of path patterns
	 */
	public RuleReader(KeyResolvers keys, PathPatternParser paths) {
		this.keys = keys;
		this.paths = paths;
	}

	/**
	 * Returns the parser of path patterns.
	 * @return the parser
	 */
	public PathPatternParser paths() {
		return this.paths;
	}

	/**
	 * Reads rules in order.
	 * @param rules the properties of the rules
	 * @param policies the policies that they may name
	 * @return the rules
	 */
	public List<RateLimitRule> read(List<RuleProperties> rules, Policies policies) {
		List<RateLimitRule> read = new ArrayList<>();
		for (RuleProperties rule : rules) {
			read.add(rule(RateLimitProperties.PREFIX + ".rules[" + read.size() + "]", rule, policies));
		}
		return read;
	}

	private RateLimitRule rule(String property, RuleProperties rule, Policies policies) {
		require(property + ".paths", rule.paths(), "/api/**");
		require(property + ".policies", rule.policies(), "the name of a policy");
		return new RateLimitRule(rule.phase(), each(property + ".paths", rule.paths(), this::path),
				Set.copyOf(each(property + ".methods", rule.methods(), RuleReader::method)),
				checked(property + ".when", rule.when(), () -> condition(rule.when())),
				each(property + ".policies", rule.policies(), (name) -> key(property, policies.get(name), rule.cost())),
				rule.cost());
	}

	private PathPattern path(String pattern) {
		if (!pattern.startsWith("/")) {
			throw new IllegalArgumentException("a path begins with a slash");
		}
		try {
			return this.paths.parse(pattern);
		}
		catch (PatternParseException ex) {
			throw new IllegalArgumentException("the pattern does not parse: " + ex.toDetailedString(), ex);
		}
	}

	private static HttpMethod method(String name) {
		HttpMethod method = HttpMethod.valueOf(name.toUpperCase(Locale.ROOT));
		if (!METHODS.contains(method)) {
			throw new IllegalArgumentException("a method is one of " + METHODS);
		}
		return method;
	}

	/** Returns a condition that matches unless the expression is false. */
	private static Predicate<RuleRequest> condition(@Nullable String text) {
		if (text == null) {
			return (request) -> true;
		}
		CallExpression expression = CallExpression.parse(text).over(List.of(REQUEST));
		return (request) -> !Boolean.FALSE.equals(value(expression, request));
	}

	private static @Nullable Object value(CallExpression expression, RuleRequest request) {
		try {
			return expression.evaluate(Map.of(REQUEST, request));
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	private PolicyKey key(String property, Policy policy, long cost) {
		if (cost < 0) {
			throw new IllegalArgumentException("'cost' must not be negative, was " + cost);
		}
		policy.requireSatisfiable(cost);
		return this.keys.of(policy, policy.keys(), List.of(), property);
	}

	private static <T> List<T> each(String property, List<String> values, Function<String, T> read) {
		List<T> all = new ArrayList<>();
		for (String value : values) {
			String name = property + '[' + all.size() + ']';
			all.add(checked(name, value, () -> read.apply(value)));
		}
		return all;
	}

	private static void require(String property, List<String> values, String example) {
		if (values.isEmpty()) {
			throw new InvalidRateLimitConfigurationException("The property '" + property + "' is missing",
					"Set it to one or several values, such as " + example + ".", null);
		}
	}

}
