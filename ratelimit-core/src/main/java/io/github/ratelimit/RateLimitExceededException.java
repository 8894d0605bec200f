package io.github.ratelimit;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import org.jspecify.annotations.Nullable;

/**
 * An exception thrown if policies deny a call. It has no stack trace, as its cause is the
 * caller and not the code. Its message is built when read. It names the policies, the
 * method and the seconds until the call fits, and never the caller's key.
 */
public class RateLimitExceededException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final long SECOND = TimeUnit.SECONDS.toMicros(1);

	private final transient Decision decision;

	/** The denied method as messages name it, if it is a single one. */
	private final @Nullable String method;

	/** The message, once it was built. */
	private @Nullable String message;

	/**
	 * Creates an exception.
	 * @param decision the denial
	 */
	public RateLimitExceededException(Decision decision) {
		this(decision, null);
	}

	/**
	 * Creates an exception for a method.
	 * @param decision the denial
	 * @param method the method as messages name it, such as {@code ReportJob.run()};
	 * {@code null} if no single method was denied
	 */
	public RateLimitExceededException(Decision decision, @Nullable String method) {
		super(null, null, false, false);
		this.decision = decision;
		this.method = method;
	}

	/**
	 * Returns the denial.
	 * @return a decision that is not {@linkplain Decision#allowed allowed}
	 */
	public Decision getDecision() {
		return this.decision;
	}

	/**
	 * Returns the whole seconds until the call fits, if nothing else is charged
	 * meanwhile.
	 * @return at least 1
	 */
	protected final long retryAfterSeconds() {
		long micros = this.decision.retryAfterMicros();
		return Math.max(1, micros / SECOND + ((micros % SECOND > 0) ? 1 : 0));
	}

	@Override
	public String getMessage() {
		String known = this.message;
		if (known == null) {
			known = describe();
			this.message = known;
		}
		return known;
	}

	/**
	 * Describes the denial, once, when the message is read.
	 * @return the message
	 */
	protected String describe() {
		List<String> policies = this.decision.limits()
			.stream()
			.filter((limit) -> !limit.allowed())
			.map(LimitDecision::policy)
			.distinct()
			.toList();
		return ((policies.size() == 1) ? "Rate limit '" : "Rate limits '") + String.join("', '", policies)
				+ "' exceeded" + ((this.method != null) ? " for " + this.method : "") + ": retry in "
				+ retryAfterSeconds() + " s";
	}

	/**
	 * Builds the message before serialization, as a decision is not serialized.
	 * @param out the stream to write to
	 * @throws IOException if the stream fails
	 */
	private void writeObject(ObjectOutputStream out) throws IOException {
		this.message = getMessage();
		out.defaultWriteObject();
	}

}
