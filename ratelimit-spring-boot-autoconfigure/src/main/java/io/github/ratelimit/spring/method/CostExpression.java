package io.github.ratelimit.spring.method;

import java.util.List;
import java.util.Map;

import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.spring.key.CallExpression;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a method's calls by a policy: an expression over their arguments, with
 * exact arithmetic.
 */
final class CostExpression {

	private final String text;

	private final CallExpression expression;

	private final @Nullable Long constant;

	private final String policy;

	private final String method;

	private CostExpression(String text, CallExpression expression, String policy, String method) {
		this.text = text;
		this.expression = expression;
		this.constant = expression.isConstant() ? evaluate(Map.of()) : null;
		this.policy = policy;
		this.method = method;
	}

	/**
	 * Parses a cost.
	 * @param text the expression
	 * @param arguments the names of the arguments that it may use
	 * @param policy the name of the policy, for messages
	 * @param method the display name of the method, for messages
	 * @throws IllegalArgumentException if the text is not a cost
	 */
	static CostExpression parse(String text, List<String> arguments, String policy, String method) {
		return new CostExpression(text, CallExpression.parse(text).exact().over(arguments), policy, method);
	}

	/** Returns the cost of every call, or null if it depends on the call. */
	@Nullable Long constant() {
		return this.constant;
	}

	/** Returns the expression. */
	String text() {
		return this.text;
	}

	/** Returns the cost of a call. Throws InvalidCostException if it has none. */
	long of(Map<String, @Nullable Object> arguments) {
		if (this.constant != null) {
			return this.constant;
		}
		try {
			return evaluate(arguments);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidCostException(this.policy,
					"Policy '" + this.policy + "' cannot charge " + this.method + ": " + ex.getMessage());
		}
	}

	private long evaluate(Map<String, @Nullable Object> arguments) {
		Object value = this.expression.evaluate(arguments);
		if (!(value instanceof Number number)) {
			throw new IllegalArgumentException("the cost '" + this.text + "' must be a number, was "
					+ ((value != null) ? value.getClass().getName() : "null"));
		}
		try {
			return Permits.of(number);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("the cost '" + this.text + "' " + ex.getMessage(), ex);
		}
	}

}
