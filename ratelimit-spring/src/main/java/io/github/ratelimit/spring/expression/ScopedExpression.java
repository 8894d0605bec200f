package io.github.ratelimit.spring.expression;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.CallRequest;
import io.github.ratelimit.key.KeyResolver;
import org.jspecify.annotations.Nullable;

/**
 * An expression whose names and types were checked at its place. The first call for which
 * it has no value is logged. Thread-safe.
 */
public final class ScopedExpression {

	private final CallExpression expression;

	private final Map<String, Variable> variables;

	private final KeyResolver addresses;

	private final ExpressionDoubts doubts;

	ScopedExpression(CallExpression expression, Map<String, Variable> variables, KeyResolver addresses,
			ExpressionDoubts doubts) {
		this.expression = expression;
		this.variables = Map.copyOf(variables);
		this.addresses = addresses;
		this.doubts = doubts;
	}

	/**
	 * Returns the value for a call that has not ended.
	 * @param call the call
	 * @return the value
	 * @throws IllegalArgumentException if the expression has no value for the call
	 */
	public @Nullable Object value(CallContext call) {
		return value(call, CallResult.NONE);
	}

	/**
	 * Returns the value for a call that has ended.
	 * @param call the call
	 * @param outcome how it ended
	 * @return the value
	 * @throws IllegalArgumentException if the expression has no value for the call
	 */
	public @Nullable Object value(CallContext call, CallResult outcome) {
		PropertyPath path = this.expression.path();
		Object value = (path != null) ? path.read(valueOf(path.variable(), call, outcome)) : null;
		return (value != null) ? value : evaluate(call, outcome);
	}

	private @Nullable Object evaluate(CallContext call, CallResult outcome) {
		try {
			return this.expression.evaluate((name) -> valueOf(name, call, outcome));
		}
		catch (IllegalArgumentException ex) {
			log(call, String.valueOf(ex.getMessage()));
			throw ex;
		}
	}

	/**
	 * Logs the first failure, unless the call is only stated. The reason must not contain
	 * a value of the call.
	 */
	void log(CallContext call, String reason) {
		if (!(call.caller() instanceof StatedCaller)) {
			this.doubts.log(reason);
		}
	}

	/**
	 * Returns the value for a call, if there is one.
	 * @param call the call
	 * @return the value, {@code null} too if the expression has none for the call
	 */
	public @Nullable Object tryValue(CallContext call) {
		return tryValue(call, CallResult.NONE);
	}

	/**
	 * Returns whether a condition holds for a call that has not ended.
	 * @param call the call
	 * @return {@code null} if the expression is neither true nor false
	 */
	public @Nullable Boolean holds(CallContext call) {
		return holds(call, CallResult.NONE);
	}

	/**
	 * Returns whether a condition holds for a call that has ended.
	 * @param call the call
	 * @param outcome how it ended
	 * @return {@code null} if the expression is neither true nor false
	 */
	public @Nullable Boolean holds(CallContext call, CallResult outcome) {
		Object value = tryValue(call, outcome);
		if (value instanceof Boolean holds) {
			return holds;
		}
		log(call, "the condition '" + this.expression.text() + "' is neither true nor false, but "
				+ ((value != null) ? value.getClass().getName() : "null"));
		return null;
	}

	private @Nullable Object tryValue(CallContext call, CallResult outcome) {
		try {
			return value(call, outcome);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/**
	 * Returns the reasons to doubt the expression, by the types of arguments.
	 * @return a sentence for each
	 */
	public List<String> doubts() {
		return this.doubts.messages();
	}

	/**
	 * Returns the expression.
	 * @return the text as configured
	 */
	public String text() {
		return this.expression.text();
	}

	/**
	 * Returns whether the expression uses no name, so that its value is constant.
	 * @return whether it is constant
	 */
	public boolean isConstant() {
		return this.expression.names().isEmpty();
	}

	/**
	 * Returns whether the expression uses an argument of the method.
	 * @return whether it needs the arguments of a call
	 */
	public boolean usesArguments() {
		return !this.variables.keySet().containsAll(this.expression.names());
	}

	/**
	 * Returns whether the expression uses a variable.
	 * @param variable the variable
	 * @return whether it uses it
	 */
	public boolean uses(Variable variable) {
		return this.variables.containsValue(variable);
	}

	/**
	 * Returns whether the expression reads the size of the response.
	 * @return whether the response has to be measured
	 */
	public boolean measuresResponse() {
		return uses(Variable.RESPONSE) && this.expression.text().toLowerCase(Locale.ROOT).contains("size");
	}

	private @Nullable Object valueOf(String name, CallContext call, CallResult outcome) {
		Variable variable = this.variables.get(name);
		if (variable == null) {
			return call.arguments().get(name);
		}
		return switch (variable) {
			case REQUEST -> view(call.request(), call);
			case PRINCIPAL -> call.caller().user();
			case USER -> new UserView(call.caller());
			case RESULT -> outcome.result();
			case ERROR -> outcome.error();
			case RESPONSE -> outcome.response();
		};
	}

	private @Nullable RequestView view(@Nullable CallRequest request, CallContext call) {
		return (request != null) ? new RequestView(request, call, this.addresses) : null;
	}

}
