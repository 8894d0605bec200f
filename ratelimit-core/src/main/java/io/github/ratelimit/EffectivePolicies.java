package io.github.ratelimit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.KeyControl;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * The policies that a call charges, each with the limits of the caller.
 */
final class EffectivePolicies implements Function<Charge, Policy> {

	private final Policies policies;

	/** The overrides by policy and key; {@code null} if no caller has any. */
	private final @Nullable Map<List<String>, List<Limit>> overrides;

	private EffectivePolicies(Policies policies, @Nullable Map<List<String>, List<Limit>> overrides) {
		this.policies = policies;
		this.overrides = overrides;
	}

	/**
	 * Creates a lookup of effective policies. Its future is complete at once unless
	 * overrides have to be loaded.
	 */
	static Function<List<Charge>, CompletableFuture<EffectivePolicies>> of(Policies policies,
			LimitOverrides overrides) {
		CompletableFuture<EffectivePolicies> alike = CompletableFuture
			.completedFuture(new EffectivePolicies(policies, null));
		return overrides.equals(LimitOverrides.NONE) ? (charges) -> alike
				: (charges) -> of(charges, policies, overrides);
	}

	private static CompletableFuture<EffectivePolicies> of(List<Charge> charges, Policies policies,
			LimitOverrides overrides) {
		CompletableFuture<EffectivePolicies> known = CompletableFuture
			.completedFuture(new EffectivePolicies(policies, new HashMap<>()));
		for (Charge charge : charges) {
			known = known.thenCombine(overrides.ofAsync(charge.policy(), charge.key()),
					(charged, limits) -> charged.with(charge, limits));
		}
		return known;
	}

	/**
	 * Returns the cached resolution of a single charge, or {@code null}, for a limiter
	 * without overrides.
	 */
	static @Nullable ResolvedCharges cached(Charge charge, Policies policies) {
		return (charge.memo() instanceof Resolution known && known.isForOne(policies.edition())) ? known.resolved
				: null;
	}

	/**
	 * Resolves charges, or returns their cached resolution. A charge that is used in many
	 * lists keeps the resolution of one.
	 */
	@SuppressWarnings("ReferenceEquality")
	ResolvedCharges resolve(List<Charge> charges) {
		if (charges.isEmpty()) {
			return ResolvedCharges.of(charges, this);
		}
		Object edition = edition();
		Charge first = charges.get(0);
		if (!(first.memo() instanceof Resolution known)) {
			first.keep(Resolution.FIRST);
			return ResolvedCharges.of(charges, this);
		}
		if (known.isFor(charges, edition)) {
			return known.resolved;
		}
		ResolvedCharges resolved = ResolvedCharges.of(charges, this);
		if (edition != null && known.edition != edition && isUnmodifiable(charges)) {
			first.keep(new Resolution(edition, charges, resolved));
		}
		return resolved;
	}

	@SuppressWarnings("ReferenceEquality") // by contract of List.copyOf
	private static boolean isUnmodifiable(List<Charge> charges) {
		return List.copyOf(charges) == charges;
	}

	/**
	 * Returns the policy of a charge. Throws IllegalArgumentException if there is none or
	 * an override does not fit it.
	 * @throws BlockedCallerException if the key is banned
	 */
	@Override
	public Policy apply(Charge charge) {
		Policy policy = this.policies.get(charge.policy());
		KeyControl control = this.policies.controls().of(charge.policy(), charge.key());
		if (control.banned()) {
			throw BlockedCallerException.banned(charge.policy());
		}
		List<Limit> own = own(control, charge);
		return own.isEmpty() ? policy : policy.withLimits(own);
	}

	/** Returns the request that resets every count of a key, of its own limits too. */
	StoreRequest resetOf(Charge charge) {
		KeyControl control = this.policies.controls().of(charge.policy(), charge.key());
		return this.policies.get(charge.policy()).resetOf(charge.key(), own(control, charge));
	}

	private List<Limit> own(KeyControl control, Charge charge) {
		return control.limits().isEmpty() ? overrides(charge) : control.limits();
	}

	private List<Limit> overrides(Charge charge) {
		return (this.overrides == null) ? List.of()
				: this.overrides.getOrDefault(List.of(charge.policy(), charge.key()), List.of());
	}

	/**
	 * Returns an object that stays the same while the policies and controls do, or
	 * {@code null} if callers have overrides.
	 */
	private @Nullable Object edition() {
		return (this.overrides == null) ? this.policies.edition() : null;
	}

	private EffectivePolicies with(Charge charge, List<Limit> limits) {
		Objects.requireNonNull(this.overrides).put(List.of(charge.policy(), charge.key()), limits);
		return this;
	}

	/**
	 * A cached resolution of charges under one edition of the policies. Their first
	 * charge keeps it from the second use on, as most charges are used only once.
	 */
	private static final class Resolution extends Charge.Memo {

		private static final Resolution FIRST = new Resolution(new Object(), List.of(), ResolvedCharges.NONE);

		private final Object edition;

		private final List<Charge> charges;

		private final ResolvedCharges resolved;

		Resolution(Object edition, List<Charge> charges, ResolvedCharges resolved) {
			this.edition = edition;
			this.charges = charges;
			this.resolved = resolved;
		}

		/** Compares identities: an equal list is resolved again. */
		@SuppressWarnings("ReferenceEquality")
		boolean isFor(List<Charge> charges, @Nullable Object edition) {
			return (charges.size() == 1) ? isForOne(edition) : this.edition == edition && this.charges == charges;
		}

		@SuppressWarnings("ReferenceEquality")
		boolean isForOne(@Nullable Object edition) {
			return this.edition == edition && this.charges.size() == 1;
		}

	}

}
