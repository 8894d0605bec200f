package io.github.ratelimit.spring.listener;

import java.time.Duration;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.spring.rejection.Rejection;
import io.github.ratelimit.spring.rejection.Rejection.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The pause after which a failed listener may process its message. Only failures that
 * pass by themselves have one: a denial, and a store that could not decide.
 */
public final class RetryPause {

	/** The pause after a failure of the store. */
	static final Duration AFTER_STORE_FAILURE = Duration.ofSeconds(1);

	private static final long MICROS_PER_MILLI = 1000;

	/** The most causes to look at, as a chain of causes may be a circle. */
	private static final int MOST_CAUSES = 50;

	private RetryPause() {
	}

	/**
	 * Returns the pause after a failure of a listener.
	 * @param failure what the listener threw, whose causes count too
	 * @return the time until another try, at least a millisecond, or {@code null} if
	 * another try would fail alike
	 */
	public static @Nullable Duration after(Throwable failure) {
		Throwable cause = failure;
		for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
			if (cause instanceof RateLimitExceededException denial) {
				return untilAdmitted(denial);
			}
			Rejection rejection = Rejection.of(cause);
			if (rejection != null && rejection.reason() == Reason.UNAVAILABLE) {
				return AFTER_STORE_FAILURE;
			}
			cause = cause.getCause();
		}
		return null;
	}

	/** Rounds up, as a call that returns too early is denied again. */
	private static Duration untilAdmitted(RateLimitExceededException denial) {
		return Duration.ofMillis(denial.getDecision().retryAfterMicros() / MICROS_PER_MILLI + 1);
	}

}
