package io.github.ratelimit.spring.method;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.spring.key.CallExpression;
import org.jspecify.annotations.Nullable;

/**
 * What a call costs, by an expression over its arguments.
 */
final class Cost {

	private final String text;

	private final CallExpression expression;

	private final @Nullable Long constant;

	private Cost(String text, CallExpression expression) {
		this.text = text;
		this.expression = expression;
		this.constant = expression.isConstant() ? evaluate(Map.of()) : null;
	}

	/** Throws IllegalArgumentException where the text cannot be a cost. */
	static Cost parse(String text, List<String> arguments) {
		return new Cost(text, CallExpression.parse(text).over(arguments));
	}

	/** The cost of every call, or null if it depends on the call. */
	@Nullable Long constant() {
		return this.constant;
	}

	long of(Map<String, @Nullable Object> arguments) {
		return (this.constant != null) ? this.constant : evaluate(arguments);
	}

	private long evaluate(Map<String, @Nullable Object> arguments) {
		if (!(this.expression.evaluate(arguments) instanceof Number number)) {
			throw new IllegalArgumentException("the cost '" + this.text + "' must be a number");
		}
		long cost = new BigDecimal(number.toString()).setScale(0, RoundingMode.CEILING).longValueExact();
		if (cost < 0) {
			throw new IllegalArgumentException("the cost '" + this.text + "' must not be negative, was " + cost);
		}
		return cost;
	}

}
