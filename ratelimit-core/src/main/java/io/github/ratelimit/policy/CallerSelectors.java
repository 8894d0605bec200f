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
 * @param permits resolves the permits of a caller's limit; {@code null} if calls tell no
 * number
 */
public record CallerSelectors(List<String> keys, @Nullable String plan, List<String> exempt, List<String> blocked,
		@Nullable OwnPermits permits) {

	/**
	 * Copies the lists.
	 * @param keys the keys to limit by, each as in {@link RateLimited#key}
	 * @param plan resolves the name of a caller's plan
	 * @param exempt callers that the policy does not limit
	 * @param blocked callers whose calls the policy refuses, even if they are exempt too
	 * @param permits resolves the permits of a caller's limit
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
		this(keys, null, List.of(), List.of(), null);
	}

	/**
	 * Creates selectors of callers whose calls tell no number of permits.
	 * @param keys the keys to limit by
	 * @param plan resolves the name of a caller's plan
	 * @param exempt callers that the policy does not limit
	 * @param blocked callers whose calls the policy refuses
	 */
	public CallerSelectors(List<String> keys, @Nullable String plan, List<String> exempt, List<String> blocked) {
		this(keys, plan, exempt, blocked, null);
	}

	/**
	 * Returns these selectors with another source of permits.
	 * @param permits resolves the permits of a caller's limit; {@code null} for none
	 * @return the selectors
	 */
	public CallerSelectors withPermits(@Nullable OwnPermits permits) {
		return new CallerSelectors(this.keys, this.plan, this.exempt, this.blocked, permits);
	}

	/**
	 * The permits that a call tells for the limit of its caller.
	 *
	 * @param from resolves the number
	 * @param most the ceiling, at least 1: a higher number counts as this one
	 */
	public record OwnPermits(String from, long most) {

		/**
		 * Checks the components.
		 * @param from resolves the number
		 * @param most the ceiling, at least 1
		 */
		public OwnPermits {
			if (most < 1) {
				throw new IllegalArgumentException("the most permits of a caller must be at least 1, was " + most);
			}
		}

	}

}
