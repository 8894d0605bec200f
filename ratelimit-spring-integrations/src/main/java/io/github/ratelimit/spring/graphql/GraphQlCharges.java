package io.github.ratelimit.spring.graphql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.Route;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.expression.CostExpression;
import io.github.ratelimit.spring.expression.ExpressionScope;
import io.github.ratelimit.spring.key.PolicyKey;
import io.github.ratelimit.spring.key.PolicyKeys;
import org.jspecify.annotations.Nullable;

import org.springframework.graphql.server.WebGraphQlRequest;
import org.springframework.util.function.SingletonSupplier;

/**
 * The charges of operations. Documents are read only if a cost or a key depends on them.
 */
public final class GraphQlCharges {

	private static final String OPERATION = "operation";

	private static final List<Route> NO_ROUTE = List.of(Route.NONE);

	private static final String PLACE = "a GraphQL operation";

	private final PolicyKeys policies;

	private final GraphQlOperations operations;

	private final ExpressionScope scope;

	private volatile Costs costs;

	/**
	 * Creates charges.
	 * @param policies the policies that may be charged
	 * @param operations reads operations
	 * @param names the names of the policies that every operation charges
	 * @param cost the cost of an operation, a number or an expression over
	 * {@code #operation}
	 * @param scope the names that the expression may use besides
	 * @throws IllegalArgumentException if a policy does not exist or the cost is none
	 */
	public GraphQlCharges(PolicyKeys policies, GraphQlOperations operations, List<String> names, String cost,
			ExpressionScope scope) {
		this.policies = policies;
		this.operations = operations;
		this.scope = scope.withVariables(Map.of(OPERATION, GraphQlOperation.class)).at(PLACE);
		this.costs = Costs.of(names, cost, policies, this.scope);
	}

	/**
	 * Checks other policies and another cost. Nothing changes before the result runs.
	 * @param names the names of the policies that every operation charges
	 * @param cost the cost of an operation
	 * @param policies the policies that may replace those in effect
	 * @return lets operations charge the policies
	 * @throws IllegalArgumentException if a policy does not exist or the cost is none
	 */
	public Runnable prepare(List<String> names, String cost, Policies policies) {
		Costs checked = Costs.of(names, cost, this.policies.by(policies), this.scope);
		return () -> this.costs = checked;
	}

	/**
	 * Returns the names of the policies that every operation charges.
	 * @return the names
	 */
	public List<String> names() {
		return this.costs.byPolicy().stream().map(PolicyCost::policy).toList();
	}

	/**
	 * Returns the charges of an operation, none if no policy limits it. A policy whose
	 * key has the route charges each root field, as clients select any of them together.
	 */
	List<Charge> of(WebGraphQlRequest request, Caller caller) {
		Supplier<GraphQlOperation> operation = SingletonSupplier.of(() -> this.operations.of(request));
		Costs costs = this.costs;
		Map<String, @Nullable Object> arguments = costs.readsOperations() ? Map.of(OPERATION, operation.get())
				: Map.of();
		List<Charge> charges = new ArrayList<>();
		for (PolicyCost each : costs.byPolicy()) {
			PolicyKey key = this.policies.get(each.policy());
			for (Route route : key.isOfRoute() ? routes(operation.get()) : NO_ROUTE) {
				Charge charge = key.charge(new CallContext(caller, arguments, route), each.cost());
				if (charge != null && !charges.contains(charge)) {
					charges.add(charge);
				}
			}
		}
		return charges;
	}

	private static List<Route> routes(GraphQlOperation operation) {
		List<Route> routes = new ArrayList<>();
		operation.rootFields().forEach((field) -> routes.add((request) -> field));
		return routes.isEmpty() ? NO_ROUTE : routes;
	}

	/** The costs of an operation, which may depend on it. */
	private record Costs(List<PolicyCost> byPolicy, boolean readsOperations) {

		static Costs of(List<String> names, String cost, PolicyKeys policies, ExpressionScope scope) {
			List<PolicyCost> byPolicy = names.stream()
				.map((name) -> PolicyCost.of(policies, name, cost, scope))
				.toList();
			return new Costs(byPolicy, byPolicy.stream().anyMatch((each) -> each.cost().usesArguments()));
		}

	}

	/** The cost of an operation by a policy. */
	private record PolicyCost(String policy, CostExpression cost) {

		static PolicyCost of(PolicyKeys policies, String name, String text, ExpressionScope scope) {
			CostExpression cost = CostExpression.parse(text, scope, name, PLACE);
			Long constant = cost.constant();
			policies.get(name).policy().requireSatisfiable((constant != null) ? constant : 0);
			return new PolicyCost(name, cost);
		}

	}

}
