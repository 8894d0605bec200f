package io.github.ratelimit.spring.stomp;

import java.util.List;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.http.RateLimitFields;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

/**
 * A rejection as the client receives it.
 *
 * @param title the kind of rejection
 * @param destination the destination of the rejected message
 * @param violatedPolicies the names of the policies that reject it
 * @param retryAfter seconds after which it is worth another try; {@code null} if it never
 * is
 */
public record StompRejection(String title, @Nullable String destination, List<String> violatedPolicies,
		@Nullable Long retryAfter) {

	/** Returns the rejection that an exception stands for, or null for others. */
	static @Nullable StompRejection of(Throwable failure, @Nullable String destination) {
		if (failure instanceof RateLimitExceededException denial) {
			return new StompRejection("Quota exceeded", destination,
					RateLimitFields.violatedPolicies(denial.getDecision()),
					RateLimitFields.retryAfter(denial.getDecision()));
		}
		if (failure instanceof RateLimitStoreException) {
			return new StompRejection("Temporarily reduced capacity", destination, List.of(), 1L);
		}
		if (failure instanceof InvalidCostException cost) {
			return new StompRejection("Invalid cost", destination, List.of(cost.getPolicy()), null);
		}
		return (failure instanceof RefusedCallerException refused)
				? new StompRejection("Caller refused", destination, List.of(refused.getPolicy()), null) : null;
	}

}
