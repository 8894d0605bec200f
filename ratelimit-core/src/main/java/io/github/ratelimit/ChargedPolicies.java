package io.github.ratelimit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.ratelimit.algorithm.Limit;
import org.jspecify.annotations.Nullable;

/**
 * The policies that a call charges, each with the limits of the caller.
 */
final class ChargedPolicies {

	private final Policies policies;

	/** The limits of callers, by policy and key; nothing where none has his own. */
	private final @Nullable Map<List<String>, List<Limit>> overrides;

	private ChargedPolicies(Policies policies, @Nullable Map<List<String>, List<Limit>> overrides) {
		this.policies = policies;
		this.overrides = overrides;
	}

	/**
	 * What a call is charged; complete at once, unless the limits of a caller are not at
	 * hand.
	 */
	static Function<List<Charge>, CompletableFuture<ChargedPolicies>> of(Policies policies, LimitOverrides overrides) {
		CompletableFuture<ChargedPolicies> alike = CompletableFuture
			.completedFuture(new ChargedPolicies(policies, null));
		return overrides.equals(LimitOverrides.NONE) ? (charges) -> alike
				: (charges) -> of(charges, policies, overrides);
	}

	private static CompletableFuture<ChargedPolicies> of(List<Charge> charges, Policies policies,
			LimitOverrides overrides) {
		CompletableFuture<ChargedPolicies> known = CompletableFuture
			.completedFuture(new ChargedPolicies(policies, new HashMap<>()));
		for (Charge charge : charges) {
			known = known.thenCombine(overrides.ofAsync(charge.policy(), charge.key()),
					(charged, limits) -> charged.with(charge, limits));
		}
		return known;
	}

	/**
	 * Throws IllegalArgumentException if there is none, or an override does not fit it.
	 */
	Policy of(Charge charge) {
		Policy policy = this.policies.get(charge.policy());
		if (this.overrides == null) {
			return policy;
		}
		List<Limit> own = this.overrides.getOrDefault(List.of(charge.policy(), charge.key()), List.of());
		return own.isEmpty() ? policy : policy.withLimits(own);
	}

	/**
	 * The same object for as long as they are the same for every call, which they never
	 * are where callers have limits of their own.
	 */
	@Nullable Object edition() {
		return (this.overrides == null) ? this.policies.edition() : null;
	}

	private ChargedPolicies with(Charge charge, List<Limit> limits) {
		Objects.requireNonNull(this.overrides).put(List.of(charge.policy(), charge.key()), limits);
		return this;
	}

}
