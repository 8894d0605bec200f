package io.github.ratelimit.spring.rejection;

import java.util.List;
import java.util.concurrent.CompletionException;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.concurrency.CancelledWaitException;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.http.RateLimitFields;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.resilience.InvocationRejectedException;

/**
 * A rejected call, as any protocol tells its client. It names no key and no address.
 *
 * @param reason why the call is rejected
 * @param title what the client is told
 * @param violatedPolicies the names of the policies that reject the call, without hidden
 * ones; may be empty
 * @param retryAfter seconds after which it is worth another try, at least 1; {@code null}
 * if it never is
 */
public record Rejection(Reason reason, String title, List<String> violatedPolicies, @Nullable Long retryAfter) {

	private static final Rejection REDUCED_CAPACITY = new Rejection(Reason.UNAVAILABLE, "Temporarily reduced capacity",
			List.of(), 1L);

	/**
	 * Returns the rejection that an exception stands for.
	 * @param failure the exception, or a {@link CompletionException} because of it
	 * @return the rejection, or {@code null} for any other exception
	 */
	public static @Nullable Rejection of(Throwable failure) {
		Throwable rejection = unwrapped(failure);
		if (rejection instanceof RateLimitExceededException denial) {
			return of(denial.getDecision());
		}
		if (rejection instanceof InvalidCostException cost) {
			return new Rejection(Reason.INVALID_COST,
					(cost instanceof UnsatisfiableCostException) ? "Too large for its quota" : "Invalid cost",
					names(cost.getPolicy(), cost.isPolicyHidden()), null);
		}
		if (rejection instanceof RefusedCallerException refused) {
			return new Rejection(Reason.REFUSED_CALLER,
					(refused instanceof BlockedCallerException) ? "Caller blocked" : "Caller not identified",
					names(refused.getPolicy(), refused.isPolicyHidden()), null);
		}
		return isForCapacity(rejection) ? REDUCED_CAPACITY : null;
	}

	/**
	 * Returns the rejection of a call that limits deny.
	 * @param denial the decision
	 * @return the rejection
	 */
	public static Rejection of(Decision denial) {
		return new Rejection(Reason.DENIED, "Quota exceeded", RateLimitFields.violatedPolicies(denial),
				RateLimitFields.retryAfter(denial));
	}

	/**
	 * Returns the cause of a {@link CompletionException}, and any other exception as it
	 * is.
	 * @param failure the exception
	 * @return the exception that the call itself failed with
	 */
	public static Throwable unwrapped(Throwable failure) {
		Throwable cause = failure.getCause();
		return (failure instanceof CompletionException && cause != null) ? cause : failure;
	}

	private static List<String> names(String policy, boolean hidden) {
		return hidden ? List.of() : List.of(policy);
	}

	private static boolean isForCapacity(Throwable rejection) {
		return rejection instanceof RateLimitStoreException || rejection instanceof CancelledWaitException
				|| rejection instanceof InvocationRejectedException;
	}

	/**
	 * The reasons of rejections, each of which has one code in a protocol.
	 */
	public enum Reason {

		/** A limit has no room for the call. */
		DENIED,

		/** The cost of the call is invalid, or more than a limit can ever admit. */
		INVALID_COST,

		/** The caller is blocked, or unknown to a policy that needs to know it. */
		REFUSED_CALLER,

		/**
		 * The store failed, a wait for permits was cut off, or a
		 * {@code @ConcurrencyLimit} of Spring has no room.
		 */
		UNAVAILABLE

	}

}
