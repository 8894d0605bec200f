package io.github.ratelimit.spring.method;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.spring.key.CallExpression;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a method's calls by a policy: an expression over their arguments, with
 * exact arithmetic.
 */
final class CostExpression {

	private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");

	private final String text;

	/** Not needed for a plain number, the usual cost, as it loads many classes. */
	private final @Nullable CallExpression expression;

	private final @Nullable Long constant;

	private final String policy;

	private final String method;

	private CostExpression(String text, @Nullable CallExpression expression, String policy, String method) {
		this.text = text;
		this.expression = expression;
		this.constant = constant(expression);
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
		return new CostExpression(text,
				NUMBER.matcher(text).matches() ? null : CallExpression.parse(text).exact().over(arguments), policy,
				method);
	}

	private @Nullable Long constant(@Nullable CallExpression expression) {
		if (expression == null) {
			return Long.valueOf(this.text);
		}
		return expression.isConstant() ? evaluate(expression, Map.of()) : null;
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
		if (this.constant != null || this.expression == null) {
			return Objects.requireNonNull(this.constant);
		}
		try {
			return evaluate(this.expression, arguments);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidCostException(this.policy,
					"Policy '" + this.policy + "' cannot charge " + this.method + ": " + ex.getMessage());
		}
	}

	private long evaluate(CallExpression expression, Map<String, @Nullable Object> arguments) {
		Object value = expression.evaluate(arguments);
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
