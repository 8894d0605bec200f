package io.github.ratelimit.spring.expression;

import java.util.Locale;
import java.util.Map;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.CallRequest;
import io.github.ratelimit.key.KeyResolver;
import org.jspecify.annotations.Nullable;

/**
 * An expression whose names were checked at its place. Immutable and thread-safe.
 */
public final class ScopedExpression {

	private final CallExpression expression;

	private final Map<String, Variable> variables;

	private final KeyResolver addresses;

	ScopedExpression(CallExpression expression, Map<String, Variable> variables, KeyResolver addresses) {
		this.expression = expression;
		this.variables = Map.copyOf(variables);
		this.addresses = addresses;
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
		return (value != null) ? value : this.expression.evaluate((name) -> valueOf(name, call, outcome));
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
	 * Returns the value for a call that has ended, if there is one.
	 * @param call the call
	 * @param outcome how it ended
	 * @return the value, {@code null} too if the expression has none for the call
	 */
	public @Nullable Object tryValue(CallContext call, CallResult outcome) {
		try {
			return value(call, outcome);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
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
