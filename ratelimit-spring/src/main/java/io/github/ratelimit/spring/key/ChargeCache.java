package io.github.ratelimit.spring.key;

import java.util.Objects;

import io.github.ratelimit.Charge;
import org.jspecify.annotations.Nullable;

/**
 * The last charges by a policy, so that a key which calls often creates no charge at each
 * call. A direct-mapped cache of fixed size: on a collision the later charge wins.
 * Charges are immutable, so a thread that misses one creates it again. Thread-safe.
 */
final class ChargeCache {

	private static final int SLOTS = 256;

	/** The longest key that is kept, as callers choose keys. */
	private static final int LONGEST_KEY = 128;

	private final @Nullable Charge[] slots = new Charge[SLOTS];

	/** Returns the charge of a key. */
	Charge of(String policy, String key, long cost, @Nullable String plan) {
		int hash = key.hashCode();
		int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
		Charge known = this.slots[slot];
		if (known != null && known.key().equals(key) && known.cost() == cost && Objects.equals(known.plan(), plan)) {
			return known;
		}
		Charge charge = new Charge(policy, key, cost, null, plan);
		if (key.length() <= LONGEST_KEY) {
			this.slots[slot] = charge;
		}
		return charge;
	}

}
