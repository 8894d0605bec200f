package io.github.ratelimit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.key.Memo;
import io.github.ratelimit.policy.KeyControl;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * The policies that a call charges, each with the limits of the caller.
 */
final class EffectivePolicies implements Function<Charge, Policy> {

	private final Policies policies;

	private final Map<Subject, List<Limit>> overrides = new HashMap<>();

	/**
	 * The resolutions of charges by the first one; {@code null} if callers have
	 * overrides, which may change.
	 */
	private final @Nullable Memo<Resolution> resolutions;

	private EffectivePolicies(Policies policies, @Nullable Memo<Resolution> resolutions) {
		this.policies = policies;
		this.resolutions = resolutions;
	}

	/** Returns the policies of callers without overrides. */
	static EffectivePolicies common(Policies policies) {
		return new EffectivePolicies(policies, new Memo<>(1024));
	}

	/** Returns the policies of one call, to which overrides are added. */
	static EffectivePolicies withOverrides(Policies policies) {
		return new EffectivePolicies(policies, null);
	}

	/** Adds the overrides of a charge. */
	EffectivePolicies add(Charge charge, List<Limit> limits) {
		this.overrides.put(charge.subject(), limits);
		return this;
	}

	/** Resolves charges, or returns their cached resolution. */
	ResolvedCharges resolve(List<Charge> charges) {
		if (this.resolutions == null || charges.isEmpty()) {
			return ResolvedCharges.of(charges, this);
		}
		Object edition = this.policies.edition();
		String key = charges.get(0).key();
		int policy = charges.get(0).policy().hashCode();
		Resolution last = this.resolutions.get(key, policy);
		if (last != null && last.isOf(charges, edition)) {
			return last.resolved;
		}
		ResolvedCharges resolved = ResolvedCharges.of(charges, this);
		if (this.resolutions.noteUse(key, policy) && isUnmodifiable(charges)) {
			this.resolutions.put(key, policy, new Resolution(charges, edition, resolved));
		}
		return resolved;
	}

	@SuppressWarnings("ReferenceEquality") // by contract of List.copyOf
	private static boolean isUnmodifiable(List<Charge> charges) {
		return List.copyOf(charges) == charges;
	}

	/** Returns the cached resolution of a single charge, or {@code null}. */
	@Nullable ResolvedCharges cached(Charge charge) {
		Resolution last = (this.resolutions != null) ? this.resolutions.get(charge.key(), charge.policy().hashCode())
				: null;
		return (last != null && last.isOf(charge, this.policies.edition())) ? last.resolved : null;
	}

	/**
	 * Returns the policy of a charge, in shadow if the key is not enforced. Throws
	 * IllegalArgumentException if there is none or an override does not fit it.
	 * @throws BlockedCallerException if the key is banned
	 */
	@Override
	public Policy apply(Charge charge) {
		Policy policy = this.policies.get(charge.policy()).forKey(charge.key());
		KeyControl control = this.policies.controls().of(charge.policy(), charge.key());
		if (control.banned()) {
			throw BlockedCallerException.banned(policy);
		}
		List<Limit> own = own(control, charge);
		return own.isEmpty() ? policy.withPermits(charge.permits()) : policy.withLimits(own);
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
		return this.overrides.isEmpty() ? List.of() : this.overrides.getOrDefault(charge.subject(), List.of());
	}

	/**
	 * A lookup of effective policies, which loads the overrides of callers.
	 */
	static final class Lookup {

		private final Policies policies;

		private final LimitOverrides overrides;

		/** The policies of all callers; {@code null} if some have overrides. */
		private final @Nullable CompletableFuture<EffectivePolicies> common;

		Lookup(Policies policies, LimitOverrides overrides) {
			this.policies = policies;
			this.overrides = overrides;
			this.common = overrides.equals(LimitOverrides.NONE)
					? CompletableFuture.completedFuture(EffectivePolicies.common(policies)) : null;
		}

		/**
		 * Returns the policies of charges. The future is complete at once unless
		 * overrides have to be loaded.
		 */
		CompletableFuture<EffectivePolicies> of(List<Charge> charges) {
			return (this.common != null) ? this.common : load(charges);
		}

		/** Runs an operation on the policies of charges, at once if they are known. */
		<T> CompletionStage<T> whenKnown(List<Charge> charges,
				Function<EffectivePolicies, CompletionStage<T>> operation) {
			CompletableFuture<EffectivePolicies> policies = of(charges);
			return policies.isDone() ? operation.apply(policies.join()) : policies.thenCompose(operation);
		}

		/** Returns the cached resolution of a single charge, or {@code null}. */
		@Nullable ResolvedCharges cached(Charge charge) {
			return (this.common != null) ? this.common.join().cached(charge) : null;
		}

		private CompletableFuture<EffectivePolicies> load(List<Charge> charges) {
			CompletableFuture<EffectivePolicies> known = CompletableFuture
				.completedFuture(EffectivePolicies.withOverrides(this.policies));
			for (Charge charge : charges) {
				known = known.thenCombine(this.overrides.ofAsync(charge.policy(), charge.key()),
						(charged, limits) -> charged.add(charge, limits));
			}
			return known;
		}

	}

	/**
	 * A resolution of charges under one edition of the policies.
	 *
	 * @param charges the charges as requested
	 * @param edition the edition
	 * @param resolved the resolution
	 */
	private record Resolution(List<Charge> charges, Object edition, ResolvedCharges resolved) {

		@SuppressWarnings("ReferenceEquality") // of the edition
		boolean isOf(Charge charge, Object edition) {
			return this.edition == edition && this.charges.size() == 1 && this.charges.get(0).equals(charge);
		}

		/** Compares the identity of several: an equal list is resolved again. */
		@SuppressWarnings("ReferenceEquality")
		boolean isOf(List<Charge> charges, Object edition) {
			return (charges.size() == 1) ? isOf(charges.get(0), edition)
					: this.edition == edition && this.charges == charges;
		}

	}

}
