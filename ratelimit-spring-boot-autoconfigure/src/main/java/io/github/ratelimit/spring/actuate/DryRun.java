package io.github.ratelimit.spring.actuate;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.actuate.PolicyUses.RuleReport;
import io.github.ratelimit.spring.key.PolicyKey.Standing;
import io.github.ratelimit.spring.key.StatedRequest;
import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.web.MappedMethods;
import io.github.ratelimit.spring.web.MappedMethods.Match;
import io.github.ratelimit.spring.web.PathReadings;
import io.github.ratelimit.spring.web.RateLimitRule;
import io.github.ratelimit.spring.web.RateLimitRule.Mismatch;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import io.github.ratelimit.spring.web.RateLimitRules;
import io.github.ratelimit.spring.web.RuleRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;

/**
 * A dry run of a request: the rules and handler methods that limit it, by which keys, and
 * what would deny it. It charges nothing.
 */
public final class DryRun {

	private final ObjectProvider<RateLimitRules> rules;

	private final ObjectProvider<MappedMethods> methods;

	private final Policies policies;

	private final KeyLookup lookup;

	private final Function<RateLimitRule, RuleReport> report;

	private final ApplicationContext server;

	/**
	 * Creates a dry run.
	 * @param rules the rules
	 * @param methods the methods of controllers
	 * @param policies the policies in effect
	 * @param lookup the lookup of keys
	 * @param report returns the report of a rule
	 * @param server the context of the server that would get the request
	 */
	@SuppressWarnings("checkstyle:ParameterNumber")
	public DryRun(ObjectProvider<RateLimitRules> rules, ObjectProvider<MappedMethods> methods, Policies policies,
			KeyLookup lookup, Function<RateLimitRule, RuleReport> report, ApplicationContext server) {
		this.rules = rules;
		this.methods = methods;
		this.policies = policies;
		this.lookup = lookup;
		this.report = report;
		this.server = server;
	}

	/**
	 * Runs a request.
	 * @throws IllegalArgumentException if a field is missing, unknown or unreadable
	 */
	Report of(Map<String, ? extends @Nullable Object> values) {
		DryRunRequest asked = DryRunRequest.of(values);
		HttpMethod method = HttpMethod.valueOf(asked.request().method());
		PathContainer path = PathContainer.parsePath(asked.request().path());
		List<Applied> rules = this.rules.stream()
			.flatMap((all) -> all.all().stream().map((rule) -> applied(all, rule, method, path, asked)))
			.toList();
		List<Served> methods = this.methods.stream()
			.flatMap((all) -> all.matching(method, path).stream())
			.map((match) -> new Served(match, standings(match, asked)))
			.toList();
		DryRunCharges charges = new DryRunCharges(this.policies, this.lookup);
		return new Report(denied(charges, rules, methods),
				rules.stream().map((rule) -> rule.run(this.report, charges)).toList(),
				methods.stream().map((served) -> served.run(charges)).toList());
	}

	private Applied applied(RateLimitRules all, RateLimitRule rule, HttpMethod method, PathContainer path,
			DryRunRequest asked) {
		StatedRequest caller = (rule.phase() == Phase.BEFORE_SECURITY) ? asked.request().beforeSecurity()
				: asked.request();
		RuleRequest request = new RuleRequest(method, PathReadings.of(path), caller, this.server);
		Mismatch mismatch = all.mismatch(rule, request);
		return new Applied(rule, mismatch, (mismatch != null) ? List.of() : rule.standings(request, asked.beans()));
	}

	private static List<Standing> standings(Match match, DryRunRequest asked) {
		RateLimitedMethod limited = match.method().limited();
		StatedRequest served = asked.request().matchedBy(match.pattern().getPatternString(), match.variables());
		return (limited != null) ? limited.standings(served, asked.beans()) : List.of();
	}

	/**
	 * Returns null too if that depends on which of several methods serves the request.
	 */
	private static @Nullable Boolean denied(DryRunCharges charges, List<Applied> rules, List<Served> methods) {
		List<Standing> ofRules = rules.stream().flatMap((rule) -> rule.standings().stream()).toList();
		List<List<Standing>> ofMethods = methods.isEmpty() ? List.of(List.of())
				: methods.stream().map(Served::standings).toList();
		Set<@Nullable Boolean> denials = new HashSet<>();
		for (List<Standing> ofMethod : ofMethods) {
			denials.add(charges.denied(Stream.concat(ofRules.stream(), ofMethod.stream()).toList()));
		}
		return (denials.size() == 1) ? denials.iterator().next() : null;
	}

	/**
	 * A rule and what its policies are for a request.
	 *
	 * @param rule the rule
	 * @param mismatch the reason for which it does not apply, or {@code null}
	 * @param standings what its policies are, nothing if it does not apply
	 */
	private record Applied(RateLimitRule rule, @Nullable Mismatch mismatch, List<Standing> standings) {

		RuleRun run(Function<RateLimitRule, RuleReport> report, DryRunCharges charges) {
			return new RuleRun(report.apply(this.rule),
					(this.mismatch != null) ? PolicyReports.lowerCase(this.mismatch) : null,
					charges.of(this.standings));
		}

	}

	/**
	 * A method that may serve a request and what its policies are.
	 *
	 * @param match the method
	 * @param standings what its policies are, nothing if it has no limits
	 */
	private record Served(Match match, List<Standing> standings) {

		MethodRun run(DryRunCharges charges) {
			return new MethodRun(this.match.method().name(), this.match.pattern().getPatternString(),
					charges.of(this.standings));
		}

	}

	/**
	 * The limits that a request meets.
	 *
	 * @param denied whether the request would be denied; {@code null} if that is not
	 * known, as some charge or the method is not
	 * @param rules all rules in their order
	 * @param methods the methods of controllers that may serve the request
	 */
	public record Report(@Nullable Boolean denied, List<RuleRun> rules, List<MethodRun> methods) {

	}

	/**
	 * A rule and a request.
	 *
	 * @param rule the rule
	 * @param mismatch the reason for which it does not apply: {@code method},
	 * {@code path}, {@code reserved}, {@code except} or {@code when}
	 * @param charges what it charges
	 */
	public record RuleRun(RuleReport rule, @Nullable String mismatch, List<ChargeRun> charges) {

	}

	/**
	 * A method of a controller and a request.
	 *
	 * @param method the name of the method
	 * @param pattern the pattern that matches the path
	 * @param charges what it charges, nothing if it has no limits
	 */
	public record MethodRun(String method, String pattern, List<ChargeRun> charges) {

	}

}
