package io.github.ratelimit.spring.expression;

import java.math.BigDecimal;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.policy.InvalidCostException;
import org.jspecify.annotations.Nullable;

/**
 * A conversion of what calls tell to the permits of a caller's limit.
 *
 * @param word resolves the number, for messages
 * @param policy the name of the policy, for messages
 * @param place the method or property that charges the policy, for messages
 */
public record CallerPermits(String word, String policy, String place) {

	/** More digits than the largest number has, also as a fraction. */
	private static final int MOST_DIGITS = 40;

	/**
	 * Returns the permits that an expression tells.
	 * @param expression the expression
	 * @param call the call
	 * @return at least 1, or {@code null} if the value is {@code null}
	 * @throws InvalidCostException if the expression has no value, or its value is no
	 * number of permits
	 */
	public @Nullable Long of(ScopedExpression expression, CallContext call) {
		try {
			return permits(expression.value(call));
		}
		catch (IllegalArgumentException ex) {
			expression.log(call, String.valueOf(ex.getMessage()));
			throw invalid(ex);
		}
	}

	/**
	 * Returns the permits of a value.
	 * @param value a number, or a text that is one
	 * @return at least 1, or {@code null} for {@code null}
	 * @throws InvalidCostException if the value is no number of permits
	 */
	public @Nullable Long of(@Nullable Object value) {
		try {
			return permits(value);
		}
		catch (IllegalArgumentException ex) {
			throw invalid(ex);
		}
	}

	private @Nullable Long permits(@Nullable Object value) {
		try {
			return (value != null) ? atLeastOne(Permits.of(number(value))) : null;
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("the permits '" + this.word + "' " + ex.getMessage(), ex);
		}
	}

	private static long atLeastOne(long permits) {
		if (permits < 1) {
			throw new IllegalArgumentException("must be at least 1, was " + permits);
		}
		return permits;
	}

	/** Reads texts too, as some tokens have all claims as texts. */
	private static Number number(Object value) {
		if (value instanceof Number number) {
			return number;
		}
		try {
			if (value instanceof String text && text.length() <= MOST_DIGITS) {
				return new BigDecimal(text);
			}
		}
		catch (NumberFormatException ex) {
			// The message would quote what a caller has sent
		}
		throw new IllegalArgumentException("must be a number, was " + value.getClass().getName());
	}

	private InvalidCostException invalid(IllegalArgumentException mistake) {
		return new InvalidCostException(this.policy,
				"Policy '" + this.policy + "' cannot charge " + this.place + ": " + mistake.getMessage());
	}

}
