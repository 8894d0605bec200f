package io.github.ratelimit.spring.key;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.key.CallContext;
import org.jspecify.annotations.Nullable;

/**
 * An expression over the arguments of a call and {@code #principal}, the authenticated
 * user. One that fails in a call has no value there.
 */
final class CallerExpression {

	private static final String USER = "principal";

	private final CallExpression expression;

	private CallerExpression(CallExpression expression) {
		this.expression = expression;
	}

	static CallerExpression parse(String text, List<String> arguments) {
		return new CallerExpression(
				CallExpression.parse(text).over(Stream.concat(arguments.stream(), Stream.of(USER)).toList()));
	}

	/** Whether an expression looks at nothing but the user. */
	static boolean isOfUserAlone(String text) {
		return CallExpression.parse(text).looksAtNothingBut(USER);
	}

	/** Whatever an argument of that name is, the user is who is authenticated. */
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
