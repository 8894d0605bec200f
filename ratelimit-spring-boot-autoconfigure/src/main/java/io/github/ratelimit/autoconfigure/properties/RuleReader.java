package io.github.ratelimit.autoconfigure.properties;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.RuleProperties;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.charge.OutcomeTerms;
import io.github.ratelimit.spring.charge.OutcomeTerms.Condition;
import io.github.ratelimit.spring.expression.CostExpression;
import io.github.ratelimit.spring.expression.ExpressionScope;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKey;
import io.github.ratelimit.spring.web.RateLimitRule;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import io.github.ratelimit.spring.web.RateLimitRule.RuleCharge;
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

	/** The beginning of a variable in a pattern. */
	private static final Pattern VARIABLE = Pattern
		.compile("\\{\\*?(\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*)");

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
		PropertyCheck.requireText(property + ".when", rule.when());
		PropertyCheck.requireText(property + ".cost", rule.cost());
		List<PathPattern> paths = each(property + ".paths", rule.paths(), this::path);
		ExpressionScope ofCall = this.keys.scope().at(property);
		ExpressionScope ofPolicies = (rule.phase() == Phase.BEFORE_SECURITY) ? ofCall.beforeSecurity() : ofCall;
		Set<String> variables = paths.stream().flatMap(RuleReader::variables).collect(Collectors.toSet());
		ExpressionScope scope = ofPolicies.ofRule(variables);
		return new RateLimitRule(rule.phase(), paths, each(property + ".except", rule.except(), this::path),
				Set.copyOf(each(property + ".methods", rule.methods(), RuleReader::method)),
				checked(property + ".when", rule.when(),
						() -> (rule.when() != null) ? scope.parseCondition(rule.when()) : null),
				each(property + ".policies", rule.policies(), (name) -> charge(property, rule,
						key(property, policies.get(name), variables, ofPolicies), scope)));
	}

	private PolicyKey key(String property, Policy policy, Set<String> variables, ExpressionScope scope) {
		policy.keys()
			.stream()
			.flatMap(KeyResolvers::pathVariables)
			.filter((variable) -> !variables.contains(variable))
			.findFirst()
			.ifPresent((variable) -> {
				throw new IllegalArgumentException("the key of policy '" + policy.name()
						+ "' is a path variable, but no path of the rule has the variable {" + variable + "}");
			});
		return this.keys.ofRule(policy, scope, property);
	}

	private static Stream<String> variables(PathPattern path) {
		return VARIABLE.matcher(path.getPatternString()).results().map((variable) -> variable.group(1));
	}

	private static RuleCharge charge(String property, RuleProperties rule, PolicyKey key, ExpressionScope scope) {
		String policy = key.policy().name();
		ExpressionScope ended = scope.afterRequest();
		CostExpression cost = checked(property + ".cost", rule.cost(),
				() -> CostExpression.parse(rule.cost(), scope, policy, property));
		requireSatisfiable(property, rule, key.policy(), (cost.constant() != null) ? cost.constant() : 0);
		return new RuleCharge(key, cost,
				new OutcomeTerms(condition(property + ".charge-when", rule.chargeWhen(), ended),
						condition(property + ".refund-when", rule.refundWhen(), ended),
						checked(property + ".actual", rule.actual(), () -> (rule.actual() == null) ? null
								: CostExpression.parse(rule.actual(), ended, policy, property))));
	}

	/** Blames the cost if the rule has one of its own, otherwise the policy. */
	private static void requireSatisfiable(String property, RuleProperties rule, Policy policy, long cost) {
		if (rule.cost().equals(RuleProperties.STANDARD_COST)) {
			policy.requireSatisfiable(cost);
			return;
		}
		checked(property + ".cost", rule.cost(), () -> {
			policy.requireSatisfiable(cost);
			return cost;
		});
	}

	private static Condition condition(String property, @Nullable String text, ExpressionScope scope) {
		return checked(property, text, () -> Condition.parse((text != null) ? text : "", List.of(), scope));
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
