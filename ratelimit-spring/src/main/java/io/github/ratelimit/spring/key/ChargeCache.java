package io.github.ratelimit.spring.key;

import java.util.Objects;

import io.github.ratelimit.Charge;
import org.jspecify.annotations.Nullable;

/**
 * The last charges by a policy, so that a key which calls often creates no charge at each
 * call. A direct-mapped cache of fixed size: it keeps a charge from the second use in a
 * row on, as most keys of many would only replace each other. Charges are immutable, so a
 * thread that misses one creates it again. Thread-safe.
 */
final class ChargeCache {

	private static final int SLOTS = 256;

	/** The longest key that is kept, as callers choose keys. */
	private static final int LONGEST_KEY = 128;

	/** The hashes of the latest keys, which tell most others apart in one read. */
	private final int[] hashes = new int[SLOTS];

	private final @Nullable Charge[] slots = new Charge[SLOTS];

	/** Returns the charge of a key. */
	Charge of(String policy, String key, long cost, @Nullable String plan) {
		int hash = key.hashCode();
		int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
		if (this.hashes[slot] != hash) {
			this.hashes[slot] = hash;
			return new Charge(policy, key, cost, null, plan);
		}
		Charge known = this.slots[slot];
		if (known != null && known.key().equals(key) && known.cost() == cost && Objects.equals(known.plan(), plan)) {
			return known;
		}
		return kept(new Charge(policy, key, cost, null, plan), slot);
	}

	private Charge kept(Charge charge, int slot) {
		if (charge.key().length() <= LONGEST_KEY) {
			this.slots[slot] = charge;
		}
		return charge;
	}

}
