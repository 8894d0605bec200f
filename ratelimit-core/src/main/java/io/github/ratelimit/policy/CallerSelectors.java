package io.github.ratelimit.policy;

import java.util.List;

import io.github.ratelimit.RateLimited;
import org.jspecify.annotations.Nullable;

/**
 * The expressions by which a policy selects and distinguishes callers. Immutable.
 *
 * @param keys the keys to limit by, each as in {@link RateLimited#key}: the first that
 * resolves counts
 * @param plan resolves the name of a caller's plan; {@code null} if there are no plans to
 * distinguish
 * @param exempt callers that the policy does not limit
 * @param blocked callers whose calls the policy refuses, even if they are exempt too
 */
public record CallerSelectors(List<String> keys, @Nullable String plan, List<String> exempt, List<String> blocked) {

	/**
	 * Copies the lists.
	 * @param keys the keys to limit by, each as in {@link RateLimited#key}
	 * @param plan resolves the name of a caller's plan
	 * @param exempt callers that the policy does not limit
	 * @param blocked callers whose calls the policy refuses, even if they are exempt too
	 */
	public CallerSelectors {
		keys = List.copyOf(keys);
		exempt = List.copyOf(exempt);
		blocked = List.copyOf(blocked);
	}

	/**
	 * Creates selectors of callers with equal limits.
	 * @param keys the keys to limit by
	 */
	public CallerSelectors(List<String> keys) {
		this(keys, null, List.of(), List.of());
	}

}
