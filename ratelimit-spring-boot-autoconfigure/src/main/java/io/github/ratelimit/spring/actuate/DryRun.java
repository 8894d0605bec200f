package io.github.ratelimit.spring.actuate;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.policy.Plan;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.actuate.KeyLookup.KeyReport;
import io.github.ratelimit.spring.actuate.PolicyUses.RuleReport;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKey.Standing;
import io.github.ratelimit.spring.key.PolicyKey.Standing.State;
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

	private static final Set<String> SHARED = Set.of(Policy.EVERYONE, KeyResolvers.MISSING);

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
		List<RuleRun> rules = this.rules.stream()
			.flatMap((all) -> all.all().stream().map((rule) -> run(all, rule, method, path, asked)))
			.toList();
		List<MethodRun> methods = this.methods.stream()
			.flatMap((all) -> all.matching(method, path).stream())
			.map((match) -> run(match, asked.request()))
			.toList();
		return new Report(denied(Stream
			.concat(rules.stream().flatMap((rule) -> rule.charges().stream()),
					methods.stream().flatMap((each) -> each.charges().stream()))
			.map(ChargeRun::denies)
			.toList()), rules, methods);
	}

	private static @Nullable Boolean denied(List<@Nullable Boolean> denials) {
		return denials.contains(Boolean.TRUE) ? Boolean.TRUE : denials.contains(null) ? null : Boolean.FALSE;
	}

	private RuleRun run(RateLimitRules all, RateLimitRule rule, HttpMethod method, PathContainer path,
			DryRunRequest asked) {
		StatedRequest caller = (rule.phase() == Phase.BEFORE_SECURITY) ? asked.request().beforeSecurity()
				: asked.request();
		RuleRequest request = new RuleRequest(method, PathReadings.of(path), caller, this.server);
		Mismatch mismatch = all.mismatch(rule, request);
		return (mismatch != null) ? new RuleRun(this.report.apply(rule), PolicyReports.lowerCase(mismatch), List.of())
				: new RuleRun(this.report.apply(rule), null, runs(rule.standings(request, asked.beans())));
	}

	private MethodRun run(Match match, StatedRequest request) {
		RateLimitedMethod limited = match.method().limited();
		StatedRequest served = request.matchedBy(match.pattern().getPatternString(), match.variables());
		return new MethodRun(match.method().name(), match.pattern().getPatternString(),
				(limited != null) ? runs(limited.standings(served)) : List.of());
	}

	private List<ChargeRun> runs(List<Standing> standings) {
		return standings.stream().map(this::run).toList();
	}

	private ChargeRun run(Standing standing) {
		Charge charge = standing.charge();
		if (charge == null || standing.state() == State.EXEMPT) {
			return ChargeRun.of(standing);
		}
		Policy policy = this.policies.get(charge.policy());
		try {
			KeyReport found = this.lookup.of(policy, charge);
			return ChargeRun.of(charge, policy, isShown(charge.key()) ? found : found.withoutKey(charge.key()));
		}
		catch (IllegalArgumentException ex) { // the cost is more than can ever be spent
			return ChargeRun.of(new Standing(policy, State.FAILED, null));
		}
	}

	/** Returns whether a key is one by which the operator asked, and no credential. */
	private static boolean isShown(String key) {
		return SHARED.contains(key)
				|| ((key.startsWith("client-ip:") || key.startsWith("principal:")) && !key.contains(" + "));
	}

	/**
	 * The limits that a request meets.
	 *
	 * @param denied whether the request would be denied; {@code null} if that is not
	 * known, as some charge is not
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

	/**
	 * A charge of a request.
	 *
	 * @param policy the policy
	 * @param state {@code limited}, or why no limit applies or that is not known
	 * @param digest the digest of the key
	 * @param key the key, unless it may be a credential
	 * @param cost the permits
	 * @param mode the mode of the limits
	 * @param denies whether the charge would be denied; {@code null} if that is not known
	 * @param left the limits and what is left of them
	 */
	public record ChargeRun(String policy, String state, @Nullable String digest, @Nullable String key,
			@Nullable Long cost, @Nullable String mode, @Nullable Boolean denies, @Nullable KeyReport left) {

		static ChargeRun of(Standing standing) {
			Boolean denies = switch (standing.state()) {
				case BLOCKED, KEYLESS -> true;
				case EXEMPT, SKIPPED, UNMET -> false;
				default -> null;
			};
			return new ChargeRun(standing.policy().name(), PolicyReports.lowerCase(standing.state()), null, null, null,
					null, denies, null);
		}

		static ChargeRun of(Charge charge, Policy policy, KeyReport left) {
			Policy ofKey = policy.forKey(charge.key());
			Plan plan = (charge.plan() != null) ? ofKey.plans().get(charge.plan()) : null;
			return new ChargeRun(policy.name(), PolicyReports.lowerCase(State.LIMITED),
					KeyDigest.inPlaceOf(charge.key()), isShown(charge.key()) ? charge.key() : null, charge.cost(),
					PolicyReports.lowerCase(((plan != null) ? plan : ofKey.standard()).mode()),
					left.denies(charge.cost()), left);
		}

	}

}
