package io.github.ratelimit.spring.expression;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.InvalidCostException;
import org.jspecify.annotations.Nullable;

/**
 * The cost of calls by a policy: a number, or an expression with exact arithmetic.
 * Immutable and thread-safe.
 */
public final class CostExpression implements ToLongFunction<CallContext> {

	private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");

	private static final CallContext ANY_CALL = new CallContext(Caller.NONE, Map.of());

	private final String text;

	/** Not needed for a plain number, the usual cost, as it loads many classes. */
	private final @Nullable ScopedExpression expression;

	private final @Nullable Long constant;

	private final String policy;

	private final String place;

	private CostExpression(String text, @Nullable ScopedExpression expression, String policy, String place) {
		this.text = text;
		this.expression = expression;
		this.constant = constant(expression);
		this.policy = policy;
		this.place = place;
	}

	/**
	 * Parses a cost.
	 * @param text the expression
	 * @param scope the names that it may use
	 * @param policy the name of the policy, for messages
	 * @param place the method or rule that is charged, for messages
	 * @return the cost
	 * @throws IllegalArgumentException if the text is not a cost
	 */
	public static CostExpression parse(String text, ExpressionScope scope, String policy, String place) {
		return new CostExpression(text, NUMBER.matcher(text).matches() ? null : scope.parseExact(text), policy, place);
	}

	private @Nullable Long constant(@Nullable ScopedExpression expression) {
		if (expression == null) {
			return Long.valueOf(this.text);
		}
		return expression.isConstant() ? evaluate(expression, ANY_CALL, CallResult.NONE) : null;
	}

	/**
	 * Returns the cost of every call.
	 * @return permits, or {@code null} if the cost depends on the call
	 */
	public @Nullable Long constant() {
		return this.constant;
	}

	/**
	 * Returns the expression, unless the cost is a plain number.
	 * @return the expression or nothing
	 */
	public Optional<ScopedExpression> expression() {
		return Optional.ofNullable(this.expression);
	}

	/**
	 * Returns whether the cost depends on the arguments of a call.
	 * @return whether it needs them
	 */
	public boolean usesArguments() {
		return this.expression != null && this.expression.usesArguments();
	}

	/**
	 * Returns whether the cost uses a variable.
	 * @param variable the variable
	 * @return whether it uses it
	 */
	public boolean uses(Variable variable) {
		return this.expression != null && this.expression.uses(variable);
	}

	/**
	 * Returns whether the cost depends on the size of the response.
	 * @return whether the response has to be measured
	 */
	public boolean measuresResponse() {
		return this.expression != null && this.expression.measuresResponse();
	}

	/**
	 * Returns the expression.
	 * @return the text as configured
	 */
	public String text() {
		return this.text;
	}

	/**
	 * Returns the cost of a call that has not ended.
	 * @param call the call
	 * @return permits, at least 0
	 * @throws InvalidCostException if the call has no valid cost
	 */
	@Override
	public long applyAsLong(CallContext call) {
		return of(call, CallResult.NONE);
	}

	/**
	 * Returns the cost of a call that has ended.
	 * @param call the call
	 * @param outcome how it ended
	 * @return permits, at least 0
	 * @throws InvalidCostException if the call has no valid cost
	 */
	public long of(CallContext call, CallResult outcome) {
		if (this.constant != null || this.expression == null) {
			return Objects.requireNonNull(this.constant);
		}
		try {
			return evaluate(this.expression, call, outcome);
		}
		catch (IllegalArgumentException ex) {
			this.expression.log(call, String.valueOf(ex.getMessage()));
			throw new InvalidCostException(this.policy,
					"Policy '" + this.policy + "' cannot charge " + this.place + ": " + ex.getMessage());
		}
	}

	private long evaluate(ScopedExpression expression, CallContext call, CallResult outcome) {
		Object value = expression.value(call, outcome);
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
