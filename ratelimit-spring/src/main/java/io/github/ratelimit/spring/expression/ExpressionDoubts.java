package io.github.ratelimit.spring.expression;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The reasons to doubt an expression at its place: before calls, by the types of
 * arguments, and at the first call for which it has no value. Thread-safe.
 */
final class ExpressionDoubts {

	private static final Log logger = LogFactory.getLog(ExpressionDoubts.class);

	private final String text;

	private final String place;

	private final List<String> messages;

	private final AtomicBoolean isLogged = new AtomicBoolean();

	ExpressionDoubts(String text, String place, List<String> messages) {
		this.text = text;
		this.place = place;
		this.messages = messages;
	}

	/** Returns the doubts before calls. */
	List<String> messages() {
		return this.messages;
	}

	/** Logs the first failure. The reason must not contain a value of the call. */
	void log(String reason) {
		if (!this.isLogged.get() && this.isLogged.compareAndSet(false, true)) {
			logger.warn(
					"For a call of " + this.place + ", " + reason + ". See 'Without a value' in expressions.md of the "
							+ "documentation for what follows from '" + this.text + "'. Not logged again here");
		}
	}

}
