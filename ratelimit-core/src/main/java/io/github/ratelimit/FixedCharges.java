package io.github.ratelimit;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

import org.jspecify.annotations.Nullable;

/**
 * Charges that call after call makes. What they come to is worked out once, and anew once
 * a policy was replaced. An unmodifiable list, for {@link RateLimiter}. Thread-safe.
 */
public final class FixedCharges extends AbstractList<Charge> implements RandomAccess {

	private final List<Charge> charges;

	private volatile @Nullable Known known;

	/**
	 * Charges to make again and again.
	 * @param charges the charges
	 */
	public FixedCharges(List<Charge> charges) {
		this.charges = List.copyOf(charges);
	}

	@Override
	public Charge get(int index) {
		return this.charges.get(index);
	}

	@Override
	public int size() {
		return this.charges.size();
	}

	@SuppressWarnings("ReferenceEquality") // as an edition is nothing but itself
	Call call(ChargedPolicies policies) {
		Object edition = policies.edition();
		Known last = this.known;
		return (last != null && last.edition == edition) ? last.call : remembered(edition, Call.of(this, policies));
	}

	private Call remembered(@Nullable Object edition, Call call) {
		if (edition != null) {
			this.known = new Known(edition, call);
		}
		return call;
	}

	private record Known(Object edition, Call call) {
	}

}
