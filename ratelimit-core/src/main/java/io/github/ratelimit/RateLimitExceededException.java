package io.github.ratelimit;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.LimitDecision;
import org.jspecify.annotations.Nullable;

/**
 * A call was denied by its policies. It carries no stack trace, as it tells of the caller
 * and not of the code. Its message names the policies, the method and the seconds until
 * the call fits, and never the caller's key; it is made when it is read.
 */
public class RateLimitExceededException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final long SECOND = TimeUnit.SECONDS.toMicros(1);

	private final transient Decision decision;

	private final transient @Nullable Method method;

	private @Nullable String message;

	/**
	 * A denial.
	 * @param decision what was denied
	 */
	public RateLimitExceededException(Decision decision) {
		this(decision, null);
	}

	/**
	 * A denial of a method's call.
	 * @param decision what was denied
	 * @param method the method, if a single one was denied
	 */
	public RateLimitExceededException(Decision decision, @Nullable Method method) {
		super(null, null, false, false);
		this.decision = decision;
		this.method = method;
	}

	/**
	 * What was denied.
	 * @return a decision that is not {@linkplain Decision#allowed allowed}
	 */
	public Decision getDecision() {
		return this.decision;
	}

	/**
	 * Whole seconds until the call fits, if nothing else is charged meanwhile.
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
				+ "' exceeded" + ((this.method != null) ? " for " + MethodName.of(this.method) : "") + ": retry in "
				+ retryAfterSeconds() + " s";
	}

	/** A decision is not serialized, so the message is made before. */
	private void writeObject(ObjectOutputStream out) throws IOException {
		this.message = getMessage();
		out.defaultWriteObject();
	}

}
