package io.github.ratelimit.spring.stomp;

import java.util.List;

import io.github.ratelimit.spring.rejection.Rejection;
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
		Rejection rejection = Rejection.of(failure);
		return (rejection != null) ? new StompRejection(rejection.title(), destination, rejection.violatedPolicies(),
				rejection.retryAfter()) : null;
	}

}
