package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.algorithm.Limit;

/**
 * Limits of single callers in the place of those of a policy and of its plans, on the
 * same counts. Implementations are thread-safe.
 */
@FunctionalInterface
public interface LimitOverrides {

	/** Nobody has limits of their own. */
	LimitOverrides NONE = (policy, key) -> List.of();

	/**
	 * The limits of a caller.
	 * @param policy the policy's name
	 * @param key the caller's key in that policy, such as {@code principal:alice}
	 * @return one in the place of each of the policy's limits, or none for those of the
	 * caller's plan
	 */
	List<Limit> of(String policy, String key);

	/**
	 * The limits of a caller, for calls that must not block.
	 * @param policy the policy's name
	 * @param key the caller's key in that policy
	 * @return as {@link #of} answers; by default what that answers at once
	 */
	default CompletionStage<List<Limit>> ofAsync(String policy, String key) {
		return CompletableFuture.completedStage(of(policy, key));
	}

}
