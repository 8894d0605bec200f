package io.github.ratelimit.spring.check;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKey;
import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.web.RateLimitRule;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import io.github.ratelimit.spring.web.RateLimitRules;

import org.springframework.web.util.pattern.PathPattern;

/**
 * The checks of rules, which compare them with the endpoints of an application.
 *
 * @param policies the policies
 * @param rules the rules
 * @param methods the limited methods
 * @param endpoints the endpoints
 * @param isSecured whether the application has Spring Security
 */
public record RuleChecks(Policies policies, RateLimitRules rules, RateLimitedMethods methods, Endpoints endpoints,
		boolean isSecured) implements StartCheck {

	private static final String ONE_SEGMENT = "/*";

	private static final Pattern VARIABLE = Pattern.compile("\\{[^/]*\\}");

	private static final Pattern REGULAR_EXPRESSION = Pattern.compile("[.][*+]|[\\^$|\\\\]");

	@Override
	public Stream<Finding> findings() {
		StartCheck users = this.isSecured ? this::usersBeforeSecurity : this::usersWithoutSecurity;
		StartCheck checks = this.rules.all().isEmpty() ? users
				: StartCheck.all(users, this::overlapping, this::shallow, this::unmatched);
		return checks.findings();
	}

	/** Finds policies that need the user before Spring Security. */
	private Stream<Finding> usersBeforeSecurity() {
		return this.rules.all()
			.stream()
			.filter((rule) -> rule.phase() == Phase.BEFORE_SECURITY)
			.flatMap((rule) -> rule.keys().stream())
			.map(PolicyKey::policy)
			.flatMap((policy) -> Stream.concat(beforeSecurity(policy, "key is", lastKey(policy)),
					Stream.ofNullable(policy.callers().permits())
						.flatMap((permits) -> beforeSecurity(policy, "permits are", permits.from()))));
	}

	private static Stream<Finding> beforeSecurity(Policy policy, String what, String word) {
		return !KeyResolvers.needsUser(word) ? Stream.empty()
				: Stream.of(new Finding(Kind.PRINCIPAL_BEFORE_SECURITY, policy.name(),
						"A rule with 'phase: before-security' charges the policy '" + policy.name() + "', whose " + what
								+ " '" + word + "'. There is no user yet. Use 'after-security', or a word that has a "
								+ "value there, such as the key 'client-ip'."));
	}

	/** Finds policies that need the user without Spring Security. */
	private Stream<Finding> usersWithoutSecurity() {
		return this.policies.all()
			.stream()
			.filter((policy) -> KeyResolvers.needsUser(lastKey(policy)))
			.map((policy) -> new Finding(Kind.PRINCIPAL_WITHOUT_SECURITY, policy.name(), "The key of the policy '"
					+ policy.name() + "' is '" + lastKey(policy)
					+ "', but the application has no Spring Security. Unless the server or a filter sets the user, "
					+ "no call has this key."));
	}

	private static String lastKey(Policy policy) {
		return policy.keys().get(policy.keys().size() - 1);
	}

	/** Finds policies that a request charges twice: by a rule and by an annotation. */
	private Stream<Finding> overlapping() {
		return this.endpoints.all()
			.stream()
			.flatMap((endpoint) -> Stream.ofNullable(this.methods.find(endpoint.method(), endpoint.type()))
				.flatMap((method) -> overlapping(endpoint, method)));
	}

	private Stream<Finding> overlapping(Endpoint endpoint, RateLimitedMethod method) {
		return this.rules.all()
			.stream()
			.filter(endpoint::isLimitedBy)
			.flatMap((rule) -> rule.keys().stream())
			.map(PolicyKey::policy)
			.filter((policy) -> method.keysOf(policy.name()).contains(policy.keys()))
			.map(Policy::name)
			.distinct()
			.map((policy) -> new Finding(Kind.POLICY_CHARGED_TWICE, method.name(),
					"A request for '" + endpoint.path() + "' charges the policy '" + policy
							+ "' twice: by a rule, and by the annotation of " + method.name()
							+ ". Remove one of them."));
	}

	/**
	 * Finds rules on paths such as {@code /a/*}, where endpoints such as {@code /a/b/c}
	 * exist that no rule or annotation limits.
	 */
	private Stream<Finding> shallow() {
		return patterns(RateLimitRule::paths).filter((path) -> path.endsWith(ONE_SEGMENT))
			.flatMap((path) -> deeper(path.substring(0, path.length() - 1)).limit(1)
				.map((endpoint) -> new Finding(Kind.SHALLOW_RULE, path,
						"The rule on '" + path + "' does not limit '" + endpoint.path()
								+ "', as '*' is one segment of a path. Write '" + path
								+ "*' to limit everything below.")));
	}

	private Stream<Endpoint> deeper(String parent) {
		return this.endpoints.all()
			.stream()
			.filter((endpoint) -> endpoint.path().startsWith(parent)
					&& endpoint.path().indexOf('/', parent.length()) > 0 && !isLimited(endpoint));
	}

	private boolean isLimited(Endpoint endpoint) {
		return this.methods.find(endpoint.method(), endpoint.type()) != null
				|| this.rules.all().stream().anyMatch(endpoint::isLimitedBy);
	}

	/**
	 * Finds rules whose patterns, also those of excepted paths, match no path that is
	 * served: those that repeat the context path, look like a regular expression, or name
	 * a path that does not exist.
	 */
	private Stream<Finding> unmatched() {
		Set<String> limited = patterns(RateLimitRule::paths).collect(Collectors.toSet());
		List<String> patterns = Stream.concat(patterns(RateLimitRule::paths), patterns(RateLimitRule::except))
			.distinct()
			.toList();
		Optional<ServedPaths> served = patterns.isEmpty() ? Optional.empty() : this.endpoints.served();
		return patterns.stream()
			.filter((pattern) -> served.filter((paths) -> paths.mayInclude(pattern)).isEmpty())
			.flatMap(
					(pattern) -> unmatched(pattern, served.isPresent()).stream()
						.map((reason) -> new Finding(Kind.UNMATCHED_RULE, pattern,
								(limited.contains(pattern) ? "The rule on '" + pattern + "' probably limits nothing: "
										: "The exception '" + pattern + "' of a rule probably excepts nothing: ")
										+ reason)));
	}

	private Optional<String> unmatched(String pattern, boolean isKnown) {
		String context = this.endpoints.contextPath();
		if (!context.isEmpty() && (pattern.equals(context) || pattern.startsWith(context + '/'))) {
			return Optional.of("patterns begin after '" + this.endpoints.contextPathProperty() + "'. Write '"
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

	private Stream<String> patterns(Function<RateLimitRule, List<PathPattern>> kind) {
		return this.rules.all()
			.stream()
			.flatMap((rule) -> kind.apply(rule).stream())
			.map(PathPattern::getPatternString)
			.distinct();
	}

}
