package io.github.ratelimit.policy;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The controls of all keys that have one. Immutable.
 */
public final class KeyControls {

	/** No controls. */
	public static final KeyControls NONE = new KeyControls(Map.of());

	/** The controls by key, by the policy's name. */
	private final Map<String, Map<String, KeyControl>> byPolicy;

	private final boolean empty;

	private final PresentKeys present;

	/**
	 * Creates controls.
	 * @param byKey the controls of keys
	 */
	public KeyControls(Map<Subject, KeyControl> byKey) {
		this.byPolicy = byKey.entrySet()
			.stream()
			.collect(Collectors.groupingBy((entry) -> entry.getKey().policy(),
					Collectors.toUnmodifiableMap((entry) -> entry.getKey().key(), Map.Entry::getValue)));
		this.empty = byKey.isEmpty();
		this.present = new PresentKeys(byKey.keySet());
	}

	/**
	 * Returns whether no key has a control.
	 * @return whether there are none
	 */
	public boolean isEmpty() {
		return this.empty;
	}

	/**
	 * Returns the control of a key.
	 * @param policy the policy's name
	 * @param key the key, such as {@code principal:alice}
	 * @return the control, which is {@link KeyControl#NONE} for most keys
	 */
	public KeyControl of(String policy, String key) {
		return (!this.empty && this.present.mayContain(policy, key))
				? this.byPolicy.getOrDefault(policy, Map.of()).getOrDefault(key, KeyControl.NONE) : KeyControl.NONE;
	}

	/**
	 * The keys that may have a control, as a set of bits that fits into the processor's
	 * cache: nearly all other keys are found out without a look into the maps.
	 */
	private static final class PresentKeys {

		/**
		 * Keeps the share of bits that are set, and so of looks in vain, below 1 in 8.
		 */
		private static final int BITS_PER_KEY = 8;

		private final long[] words;

		private final int shift;

		PresentKeys(Collection<Subject> subjects) {
			int bits = Math.max(Long.SIZE, Integer.highestOneBit(subjects.size() * BITS_PER_KEY) * 2);
			this.shift = Integer.numberOfLeadingZeros(bits - 1);
			this.words = new long[bits / Long.SIZE];
			subjects.stream()
				.mapToInt(subject -> bit(subject.policy(), subject.key()))
				.forEach((bit) -> this.words[bit / Long.SIZE] |= 1L << bit);
		}

		boolean mayContain(String policy, String key) {
			int bit = bit(policy, key);
			return (this.words[bit / Long.SIZE] & (1L << bit)) != 0;
		}

		/** Takes the highest bits of a product, in which all bits of the hashes count. */
		private int bit(String policy, String key) {
			return ((31 * policy.hashCode() + key.hashCode()) * 0x9E3779B9) >>> this.shift;
		}

	}

}
