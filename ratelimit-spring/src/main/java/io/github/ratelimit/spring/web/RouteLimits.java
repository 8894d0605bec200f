package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.Route;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.OutcomeTerms;
import io.github.ratelimit.spring.charge.OutcomeTerms.Condition;
import io.github.ratelimit.spring.expression.CostExpression;
import io.github.ratelimit.spring.expression.ExpressionScope;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKeys;

/**
 * The policies that routes charge. Thread-safe.
 */
public final class RouteLimits {

	private static final String PLACE = "a route";

	private final PolicyKeys keys;

	private final ExpressionScope scope;

	/** The terms of each policy, by the limits that have any. */
	private final Map<RouteLimit, Map<String, OutcomeTerms>> terms = new ConcurrentHashMap<>();

	/**
	 * Creates the limits of an application's routes.
	 * @param policies the policies that routes may name
	 * @param keys creates the key resolvers of policies
	 */
	public RouteLimits(Policies policies, KeyResolvers keys) {
		this.scope = keys.scope().ofRequest().afterRequest();
		this.keys = new PolicyKeys(policies, keys, keys.scope(), PLACE);
	}

	/**
	 * Checks that the policies of a limit exist and can admit its cost, and reads its
	 * outcome.
	 * @param place the property or filter that states the limit, with which the message
	 * begins
	 * @param limit the limit
	 * @throws InvalidRateLimitConfigurationException if they do not, or an expression is
	 * wrong
	 */
	public void check(String place, RouteLimit limit) {
		try {
			limit.policies().forEach((name) -> this.keys.get(name).policy().requireSatisfiable(limit.cost()));
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRateLimitConfigurationException(place + " charges " + limit.policies() + " with the cost "
					+ limit.cost() + ", but " + ex.getMessage(), "Correct it, or the policies in 'ratelimit.policies'.",
					ex);
		}
		terms(place, limit);
	}

	private Map<String, OutcomeTerms> terms(String place, RouteLimit limit) {
		return limit.outcome().isEmpty() ? Map.of()
				: this.terms.computeIfAbsent(limit, (unknown) -> limit.policies()
					.stream()
					.distinct()
					.collect(Collectors.toMap(Function.identity(), (policy) -> terms(place, limit.outcome(), policy))));
	}

	private OutcomeTerms terms(String place, RouteOutcome outcome, String policy) {
		ExpressionScope scope = this.scope.at(place);
		OutcomeTerms terms = new OutcomeTerms(
				read(place, "charge-when", outcome.chargeWhen(), (text) -> Condition.parse(text, List.of(), scope)),
				read(place, "refund-when", outcome.refundWhen(), (text) -> Condition.parse(text, List.of(), scope)),
				outcome.actual().isEmpty() ? null : read(place, "actual", outcome.actual(),
						(text) -> CostExpression.parse(text, scope, policy, place)));
		if (terms.measuresResponse()) {
			throw new InvalidRateLimitConfigurationException(
					place + " uses '#response.size', but the size of a route's response is not measured",
					"Charge by it in a rule of 'ratelimit.rules' with the path of the route.", null);
		}
		return terms;
	}

	private static <T> T read(String place, String argument, String text, Function<String, T> parse) {
		try {
			return parse.apply(text);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRateLimitConfigurationException(
					place + " has '" + text + "' as '" + argument + "', but " + ex.getMessage(),
					"Correct it, such as \"#response.status == 404\".", ex);
		}
	}

	/**
	 * Returns the charges of limits for a caller.
	 * @param limits the limits
	 * @param caller the caller
	 * @param route names the route
	 * @return the charges in the order of the limits, until the request ends; none if no
	 * policy limits the caller
	 * @throws RefusedCallerException if a policy blocks the caller, or denies callers
	 * without a key
	 */
	public CallCharges charges(List<RouteLimit> limits, Caller caller, Route route) {
		CallContext call = new CallContext(caller, Map.of(), route);
		CallCharges.Builder charges = new CallCharges.Builder();
		for (RouteLimit limit : limits) {
			Map<String, OutcomeTerms> terms = terms(PLACE, limit);
			for (String policy : limit.policies()) {
				Charge charge = this.keys.get(policy).charge(call, (any) -> limit.cost());
				if (charge != null) {
					charges.add(charge, terms.getOrDefault(policy, OutcomeTerms.NONE), call);
				}
			}
		}
		return charges.ofRequest();
	}

}
