package io.github.ratelimit.spring.key;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.key.CallContext;
import org.jspecify.annotations.Nullable;

/**
 * An expression over the arguments of a call and {@code #principal}, the authenticated
 * user. An expression that fails in a call has no value there.
 */
final class CallerExpression {

	private static final String USER = "principal";

	private final CallExpression expression;

	private CallerExpression(CallExpression expression) {
		this.expression = expression;
	}

	/**
	 * Parses an expression.
	 * @param text the expression
	 * @param arguments the names of the arguments that it may use
	 */
	static CallerExpression parse(String text, List<String> arguments) {
		return new CallerExpression(
				CallExpression.parse(text).over(Stream.concat(arguments.stream(), Stream.of(USER)).toList()));
	}

	/** Returns whether an expression uses only the user. */
	static boolean usesOnlyTheUser(String text) {
		return CallExpression.parse(text).usesOnly(USER);
	}

	/** Returns the value in a call. The user replaces an argument of the same name. */
	@Nullable Object value(CallContext call) {
		Map<String, @Nullable Object> values = new LinkedHashMap<>(call.arguments());
		values.put(USER, call.caller().user());
		try {
			return this.expression.evaluate(values);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

}
