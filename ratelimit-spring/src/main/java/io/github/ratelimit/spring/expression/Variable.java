package io.github.ratelimit.spring.expression;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A variable that expressions read beside the arguments of a method.
 */
public enum Variable {

	/** The request that the call serves, a {@link RequestView}. */
	REQUEST(RequestView.class, "outside a request"),

	/** The authenticated user as the application's security provides it. */
	PRINCIPAL(null, "before Spring Security"),

	/** The authenticated user, a {@link UserView}. */
	USER(UserView.class, "before Spring Security"),

	/** The result of a method. */
	RESULT(null, "before a method has returned"),

	/** The exception that a call ended with. */
	ERROR(null, "before a call has ended"),

	/** The response to the request, a {@link ResponseView}. */
	RESPONSE(ResponseView.class, "before a request has ended");

	private final @Nullable Class<?> type;

	private final String unknown;

	Variable(@Nullable Class<?> type, String unknown) {
		this.type = type;
		this.unknown = unknown;
	}

	/**
	 * Returns the variable of a name.
	 * @param name the name without {@code #}
	 * @return the variable, or nothing
	 */
	static Optional<Variable> named(String name) {
		return Arrays.stream(values()).filter((variable) -> variable.text().equals(name)).findFirst();
	}

	/** Returns whether the variable is known once the call has ended. */
	boolean isOutcome() {
		return this == RESULT || this == ERROR || this == RESPONSE;
	}

	/** Returns the name in expressions, without the number sign. */
	String text() {
		return name().toLowerCase(Locale.ROOT);
	}

	/** Returns the type, which is not known if it depends on the application. */
	StaticType staticType() {
		return StaticType.of((this.type != null) ? this.type : Object.class, true);
	}

	/** Returns when the variable has no value. */
	String unknown() {
		return this.unknown;
	}

}
