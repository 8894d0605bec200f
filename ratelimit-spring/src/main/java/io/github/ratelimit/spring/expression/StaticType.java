package io.github.ratelimit.spring.expression;

import java.lang.reflect.Modifier;

import org.springframework.util.ClassUtils;

/**
 * The type of a value as far as it is known before a call.
 *
 * @param type the type, not that of a primitive; {@code Object} if it is not known
 * @param isOwn whether the value comes from a variable of the library, so that the type
 * does not depend on the application
 */
record StaticType(Class<?> type, boolean isOwn) {

	static final StaticType UNKNOWN = new StaticType(Object.class, false);

	static final StaticType CONDITION = new StaticType(Boolean.class, true);

	/** Returns a declared type, which is not known if it says nothing about members. */
	static StaticType of(Class<?> declared, boolean isOwn) {
		boolean saysNothing = declared == Object.class || declared == void.class || declared == Void.class;
		return saysNothing ? UNKNOWN : new StaticType(ClassUtils.resolvePrimitiveIfNecessary(declared), isOwn);
	}

	/** Returns whether anything is known. */
	boolean isKnown() {
		return this.type != Object.class;
	}

	/** Returns whether all values have this very type. */
	boolean isFinal() {
		return Modifier.isFinal(this.type.getModifiers());
	}

	/**
	 * Returns whether values are what the library shows of a call, with its own methods.
	 */
	boolean isView() {
		return this.type == RequestView.class || this.type == UserView.class;
	}

	/** Returns whether values are numbers. */
	boolean isNumber() {
		return Number.class.isAssignableFrom(this.type);
	}

	/** Returns what values are, for messages. */
	String noun() {
		return isNumber() ? "a number" : isText() ? "a text"
				: (this.type == Boolean.class) ? "true or false" : "of type " + this.type.getSimpleName();
	}

	/** Returns whether values are texts. */
	boolean isText() {
		return this.type == String.class;
	}

}
