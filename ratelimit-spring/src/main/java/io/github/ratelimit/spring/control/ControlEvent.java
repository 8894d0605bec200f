package io.github.ratelimit.spring.control;

import org.jspecify.annotations.Nullable;

/**
 * An event of a control that no operator caused at this moment. It is reported once, by
 * one instance. Immutable.
 *
 * @param kind the kind of event
 * @param id the identifier of the control
 * @param control the control; {@code null} if this instance does not know more than its
 * identifier
 */
public record ControlEvent(Kind kind, String id, @Nullable ActiveControl control) {

	/** The kinds of events. */
	public enum Kind {

		/** A penalty set the control. */
		SET,
		/** The control ended, as its time was over. */
		ENDED

	}

}
