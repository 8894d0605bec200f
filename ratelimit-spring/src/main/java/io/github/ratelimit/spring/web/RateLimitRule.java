package io.github.ratelimit.spring.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.CallRequest;
import io.github.ratelimit.key.Route;
import io.github.ratelimit.key.RoutedRequest;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.OutcomeTerms;
import io.github.ratelimit.spring.expression.CostExpression;
import io.github.ratelimit.spring.expression.ScopedExpression;
import io.github.ratelimit.spring.key.PolicyKey;
import io.github.ratelimit.spring.key.PolicyKey.Standing;
import io.github.ratelimit.spring.key.PolicyKey.Standing.State;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * A rule that limits requests by their path and method, whatever serves them.
 *
 * @param phase the phase in which it is decided
 * @param paths the patterns, one of which the path of a request must match
 * @param except the patterns of excepted paths
 * @param methods the methods of requests, {@code HEAD} counting as {@code GET}; empty for
 * any
 * @param condition a condition that must not be false; {@code null} for none
 * @param charges the policies to charge
 */
public record RateLimitRule(Phase phase, List<PathPattern> paths, List<PathPattern> except, Set<HttpMethod> methods,
		@Nullable ScopedExpression condition, List<RuleCharge> charges) {

	/**
	 * The phases in which rules are decided.
	 */
	public enum Phase {

		/** Before Spring Security authenticates the caller, in a decision of its own. */
		BEFORE_SECURITY,

		/** After Spring Security, in one decision with the handler method's limits. */
		AFTER_SECURITY

	}

	/**
	 * The reasons for which a rule does not apply to a request.
	 */
	public enum Mismatch {

		/** The rule has other methods. */
		METHOD,

		/** No pattern of the rule matches the path. */
		PATH,

		/** The path is of a management endpoint that no pattern of the rule names. */
		RESERVED,

		/** The rule excepts the path. */
		EXCEPT,

		/** The condition of the rule does not hold. */
		WHEN

	}

	/**
	 * Copies the collections.
	 * @param phase the phase in which it is decided
	 * @param paths the patterns, one of which the path of a request must match
	 * @param except the patterns of excepted paths
	 * @param methods the methods of requests, {@code HEAD} counting as {@code GET}
	 * @param condition a condition that must not be false; {@code null} for none
	 * @param charges the policies to charge
	 */
	public RateLimitRule {
		paths = List.copyOf(paths);
		except = List.copyOf(except);
		methods = Set.copyOf(methods);
		charges = List.copyOf(charges);
	}

	/**
	 * Returns the policies that the rule charges.
	 * @return the policies, with the resolvers of their keys
	 */
	public List<PolicyKey> keys() {
		return this.charges.stream().map(RuleCharge::key).toList();
	}

	/** Returns whether requests are charged by the size of the response. */
	boolean measuresResponse() {
		return this.charges.stream().anyMatch((charge) -> charge.outcome().measuresResponse());
	}

	/** Returns whether a key is a field of the form that a request posts. */
	boolean readsForm() {
		return this.charges.stream().anyMatch((charge) -> charge.key().readsForm());
	}

	/**
	 * Returns whether the rule limits a path.
	 * @param path the path
	 * @return whether a pattern matches it, and it is not excepted
	 */
	public boolean limits(PathContainer path) {
		return isAnyOf(this.paths, path) && !isAnyOf(this.except, path);
	}

	private static boolean isAnyOf(List<PathPattern> patterns, PathContainer path) {
		return patterns.stream().anyMatch((pattern) -> pattern.matches(path));
	}

	/** Adds the charges of a request to others. */
	void charge(RuleRequest request, CallCharges.Builder charges) {
		List<CallContext> calls = charged(request);
		for (RuleCharge each : this.charges) {
			each.charge(calls, charges);
		}
	}

	private List<CallContext> charged(RuleRequest request) {
		List<CallContext> all = calls(request);
		return (all.size() > 1) ? all.stream().filter(this::meetsCondition).toList() : all;
	}

	/**
	 * Returns what the rule's policies are for a request that it applies to.
	 * @param request the request
	 * @param beans whether beans of the application are called
	 * @return the standings, several of a policy if the path has several readings
	 */
	public List<Standing> standings(RuleRequest request, boolean beans) {
		List<CallContext> calls = charged(request);
		return this.charges.stream().flatMap((charge) -> charge.standings(calls, beans)).toList();
	}

	/**
	 * Returns whether a request has the method and matches one of the eligible patterns.
	 * Its path is excepted only in all readings, so that no spelling is a way around.
	 */
	boolean mayMatch(RuleRequest request, Predicate<PathPattern> eligible) {
		return hasMethod(request.method()) && hasPath(request, eligible) && !request.isWithin(this.except);
	}

	/** Returns why a request does not match one of the eligible patterns, or null. */
	@Nullable Mismatch mismatch(RuleRequest request, Predicate<PathPattern> eligible) {
		if (!hasMethod(request.method())) {
			return Mismatch.METHOD;
		}
		if (!hasPath(request, eligible)) {
			return hasPath(request, (any) -> true) ? Mismatch.RESERVED : Mismatch.PATH;
		}
		return request.isWithin(this.except) ? Mismatch.EXCEPT : hasCondition(request) ? null : Mismatch.WHEN;
	}

	/** Returns whether the condition is met by a call that the request may be. */
	boolean hasCondition(RuleRequest request) {
		return this.condition == null || calls(request).stream().anyMatch(this::meetsCondition);
	}

	private boolean meetsCondition(CallContext call) {
		return this.condition == null || !Boolean.FALSE.equals(this.condition.holds(call));
	}

	private boolean hasPath(RuleRequest request, Predicate<PathPattern> eligible) {
		for (PathPattern pattern : this.paths) {
			if (request.matches(pattern) && eligible.test(pattern)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns the calls that a request may be, one for all readings of its path with the
	 * same pattern and variables. By which reading its handler is found is known too
	 * late, and no spelling of a path may have a count of its own.
	 */
	private List<CallContext> calls(RuleRequest request) {
		CallRequest served = request.caller().request();
		if (served == null || (request.hasOneReading() && !hasVariables())) {
			return List.of(new CallContext(request.caller(), Map.of(), served, (any) -> route(request)));
		}
		return request.matches(this.paths)
			.stream()
			.map((match) -> new CallContext(request.caller(), Map.of(), new RoutedRequest(served, match.variables()),
					(any) -> route(match.pattern())))
			.toList();
	}

	/** Returns the rule's own pattern, as rules are decided before any handler. */
	private @Nullable String route(RuleRequest request) {
		return this.paths.stream().filter(request::matches).findFirst().map(this::route).orElse(null);
	}

	private String route(PathPattern pattern) {
		return Route.named(this.methods.stream().map(HttpMethod::name).sorted().toList(), pattern.getPatternString());
	}

	private boolean hasVariables() {
		for (PathPattern pattern : this.paths) {
			if (pattern.getPatternString().indexOf('{') >= 0) {
				return true;
			}
		}
		return false;
	}

	private boolean hasMethod(HttpMethod method) {
		return this.methods.isEmpty() || this.methods.contains(method)
				|| (method.equals(HttpMethod.HEAD) && this.methods.contains(HttpMethod.GET));
	}

	/**
	 * The charge of a rule by one policy.
	 *
	 * @param key resolves the key to charge by the policy
	 * @param cost the permits that a request costs, or reserves until it has ended
	 * @param outcome the terms of the adjustment when a request has ended
	 */
	public record RuleCharge(PolicyKey key, CostExpression cost, OutcomeTerms outcome) {

		/**
		 * Returns whether what a request costs, before it ends, depends on the request.
		 * @return whether a cost may turn out invalid, or more than a limit can ever
		 * admit
		 */
		public boolean isCostComputed() {
			return this.cost.constant() == null;
		}

		private Stream<Standing> standings(List<CallContext> calls, boolean beans) {
			if (this.key.readsForm() || (this.key.ofBeans() && !beans)) {
				return Stream.of(this.key.standing(this.key.readsForm() ? State.FORM : State.BEANS));
			}
			return calls.stream().map((call) -> this.key.tryStanding(call, this.cost)).distinct();
		}

		/**
		 * Adds the charge of a request to others, unless the policy skips it. There are
		 * several if the calls that it may be differ in key or cost.
		 */
		void charge(List<CallContext> calls, CallCharges.Builder charges) {
			List<Charge> own = new ArrayList<>(1);
			for (CallContext call : calls) {
				Charge charge = this.key.charge(call, this.cost);
				if (charge != null && !own.contains(charge)) {
					own.add(charge);
					charges.add(charge, this.outcome, call);
				}
			}
		}

	}

}
