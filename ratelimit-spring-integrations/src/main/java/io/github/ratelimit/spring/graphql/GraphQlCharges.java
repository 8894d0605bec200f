package io.github.ratelimit.spring.graphql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.expression.CostExpression;
import io.github.ratelimit.spring.expression.ExpressionScope;
import io.github.ratelimit.spring.key.PolicyKeys;

import org.springframework.graphql.server.WebGraphQlRequest;

/**
 * The charges of operations. Documents are read only if a cost depends on them.
 */
public final class GraphQlCharges {

	private static final String OPERATION = "operation";

	private static final String PLACE = "a GraphQL operation";

	private final PolicyKeys policies;

	private final GraphQlOperations operations;

	private final List<PolicyCost> costs;

	private final boolean readsOperations;

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
		ExpressionScope ofOperation = scope.withVariables(Map.of(OPERATION, GraphQlOperation.class)).at(PLACE);
		this.costs = names.stream().map((name) -> PolicyCost.of(policies, name, cost, ofOperation)).toList();
		this.readsOperations = this.costs.stream().anyMatch((each) -> each.cost().usesArguments());
	}

	/** Returns the charges of an operation, none if no policy limits it. */
	List<Charge> of(WebGraphQlRequest request, Caller caller) {
		CallContext call = new CallContext(caller,
				this.readsOperations ? Map.of(OPERATION, this.operations.of(request)) : Map.of());
		List<Charge> charges = new ArrayList<>();
		for (PolicyCost each : this.costs) {
			Charge charge = this.policies.get(each.policy()).charge(call, each.cost());
			if (charge != null) {
				charges.add(charge);
			}
		}
		return charges;
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
