package io.github.ratelimit;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A cached resolution of charges under one edition of the policies. Their first charge
 * keeps it from the second use on, as most charges are used only once.
 */
final class Resolution extends Charge.Memo {

	private static final Resolution FIRST = new Resolution(new Object(), List.of(), ResolvedCharges.NONE);

	private final Object edition;

	private final List<Charge> charges;

	private final ResolvedCharges resolved;

	private Resolution(Object edition, List<Charge> charges, ResolvedCharges resolved) {
		this.edition = edition;
		this.charges = charges;
		this.resolved = resolved;
	}

	/** Resolves charges, or returns their cached resolution. */
	static ResolvedCharges of(List<Charge> charges, EffectivePolicies policies) {
		if (charges.isEmpty()) {
			return ResolvedCharges.of(charges, policies);
		}
		Object edition = policies.edition();
		Charge first = charges.get(0);
		if (!(first.memo() instanceof Resolution known)) {
			first.keep(FIRST);
			return ResolvedCharges.of(charges, policies);
		}
		if (known.isFor(charges, edition)) {
			return known.resolved;
		}
		ResolvedCharges resolved = ResolvedCharges.of(charges, policies);
		if (edition != null && isUnmodifiable(charges)) {
			first.keep(new Resolution(edition, charges, resolved));
		}
		return resolved;
	}

	/** Compares identities: an equal list is resolved again. */
	@SuppressWarnings("ReferenceEquality")
	private boolean isFor(List<Charge> charges, @Nullable Object edition) {
		return this.edition == edition
				&& (this.charges == charges || (charges.size() == 1 && this.charges.size() == 1));
	}

	@SuppressWarnings("ReferenceEquality") // by contract of List.copyOf
	private static boolean isUnmodifiable(List<Charge> charges) {
		return List.copyOf(charges) == charges;
	}

}
