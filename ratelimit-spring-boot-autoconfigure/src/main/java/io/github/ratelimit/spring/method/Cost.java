package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.InvalidCostException;
import io.github.ratelimit.spring.key.CallExpression;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a method's calls by a policy: an expression over their arguments, whose
 * arithmetic is exact.
 */
final class Cost {

	private final String text;

	private final CallExpression expression;

	private final @Nullable Long constant;

	private final String policy;

	private final Method method;

	private Cost(String text, CallExpression expression, String policy, Method method) {
		this.text = text;
		this.expression = expression;
		this.constant = expression.isConstant() ? evaluate(Map.of()) : null;
		this.policy = policy;
		this.method = method;
	}

	/** Throws IllegalArgumentException where the text cannot be a cost. */
	static Cost parse(String text, List<String> arguments, String policy, Method method) {
		return new Cost(text, CallExpression.parse(text).exact().over(arguments), policy, method);
	}

	/** The cost of every call, or null if it depends on the call. */
	@Nullable Long constant() {
		return this.constant;
	}

	/** Throws InvalidCostException where the arguments make no cost. */
	long of(Map<String, @Nullable Object> arguments) {
		if (this.constant != null) {
			return this.constant;
		}
		try {
			return evaluate(arguments);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidCostException(this.policy, this.method, String.valueOf(ex.getMessage()));
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
