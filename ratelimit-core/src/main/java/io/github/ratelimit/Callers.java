package io.github.ratelimit;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How a policy tells callers apart, in words. Immutable.
 *
 * @param keys who is limited, each as in {@link RateLimited#key}: the first that answers
 * @param plan what answers the name of a caller's plan; {@code null} where there are no
 * plans to tell apart
 * @param exempt whom the policy does not limit
 * @param blocked whose calls the policy refuses, though they be exempt too
 */
public record Callers(List<String> keys, @Nullable String plan, List<String> exempt, List<String> blocked) {

	public Callers {
		keys = List.copyOf(keys);
		exempt = List.copyOf(exempt);
		blocked = List.copyOf(blocked);
	}

	/**
	 * Callers who all are limited alike.
	 * @param keys who is limited
	 */
	public Callers(List<String> keys) {
		this(keys, null, List.of(), List.of());
	}

}
