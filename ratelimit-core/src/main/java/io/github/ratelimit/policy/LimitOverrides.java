package io.github.ratelimit.policy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.algorithm.Limit;

/**
 * A source of limits for single callers. They replace those of a policy and its plans,
 * whatever permits calls tell, on the same counts. Implementations are thread-safe.
 */
@FunctionalInterface
public interface LimitOverrides {

	/** The source without any overrides. */
	LimitOverrides NONE = (policy, key) -> List.of();

	/**
	 * Returns the limits of a caller. If they do not {@linkplain Policy#withLimits fit
	 * the policy}, as there are more or fewer of them or they cannot count the policy's
	 * maximum wait, the caller's calls fail with an {@link IllegalArgumentException}.
	 * @param policy the policy's name
	 * @param key the caller's key in that policy, such as {@code principal:alice}
	 * @return a replacement for each of the policy's limits, or an empty list for the
	 * limits of the caller's plan
	 */
	List<Limit> of(String policy, String key);

	/**
	 * Returns the limits of a caller, for calls that must not block.
	 * @param policy the policy's name
	 * @param key the caller's key in that policy
	 * @return the limits, as for {@link #of}; by default complete at once
	 */
	default CompletionStage<List<Limit>> ofAsync(String policy, String key) {
		return CompletableFuture.completedStage(of(policy, key));
	}

}
