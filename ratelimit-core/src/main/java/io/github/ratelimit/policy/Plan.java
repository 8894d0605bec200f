package io.github.ratelimit.policy;

import java.util.List;

import io.github.ratelimit.algorithm.Limit;

/**
 * The limits of all callers with the same plan. Immutable.
 *
 * @param limits replacements for the policy's limits, charged to the same counts
 * @param mode the effect of the limits
 * @param candidates limits on trial: in shadow, with separate counts
 */
public record Plan(List<Limit> limits, EnforcementMode mode, List<Limit> candidates) {

	/**
	 * Copies the lists.
	 * @param limits replacements for the policy's limits, charged to the same counts
	 * @param mode the effect of the limits
	 * @param candidates limits on trial
	 */
	public Plan {
		limits = List.copyOf(limits);
		candidates = List.copyOf(candidates);
	}

	/**
	 * Creates a plan without candidates.
	 * @param limits replacements for the policy's limits
	 * @param mode the effect of the limits
	 */
	public Plan(List<Limit> limits, EnforcementMode mode) {
		this(limits, mode, List.of());
	}

	/** Returns this plan with another number of permits in each of its limits. */
	Plan withPermits(long permits) {
		return new Plan(this.limits.stream().map((limit) -> limit.withPermits(permits)).toList(), this.mode,
				this.candidates);
	}

	/** Returns this plan with its limits in shadow, unless they are off. */
	Plan inShadow() {
		return (this.mode == EnforcementMode.ENFORCE) ? new Plan(this.limits, EnforcementMode.SHADOW, this.candidates)
				: this;
	}

}
