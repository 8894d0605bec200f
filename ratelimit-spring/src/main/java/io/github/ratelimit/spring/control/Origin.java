package io.github.ratelimit.spring.control;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * The origin of a control: who set it. Immutable.
 *
 * @param source the kind of origin
 * @param name the name of the operator; {@code null} if it is not known, or no operator
 * set the control
 * @param reason why an operator set it; {@code null} if that was not said
 */
public record Origin(Source source, @Nullable String name, @Nullable String reason) {

	/** The application set the control by its code. */
	public static final Origin APPLICATION = new Origin(Source.APPLICATION, null, null);

	/** The penalty of a policy set the control. */
	public static final Origin PENALTY = new Origin(Source.PENALTY, null, null);

	/** A response of an upstream demanded the control. */
	public static final Origin UPSTREAM = new Origin(Source.UPSTREAM, null, null);

	/**
	 * Returns the origin of a control that an operator sets.
	 * @param name the operator's name; {@code null} if it is not known
	 * @param reason why; {@code null} if that was not said
	 * @return the origin
	 */
	public static Origin operator(@Nullable String name, @Nullable String reason) {
		return new Origin(Source.OPERATOR, name, reason);
	}

	/** The kinds of origins. */
	public enum Source {

		/** An operator, by the endpoint. */
		OPERATOR,
		/** The penalty of a policy. */
		PENALTY,
		/** An upstream that demands a pause. */
		UPSTREAM,
		/** Code of the application. */
		APPLICATION;

		/**
		 * Returns the word for the kind.
		 * @return a lower case word
		 */
		public String word() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
