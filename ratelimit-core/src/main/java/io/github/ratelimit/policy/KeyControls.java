package io.github.ratelimit.policy;

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
		Map<String, KeyControl> byKey = this.empty ? null : this.byPolicy.get(policy);
		return (byKey != null) ? byKey.getOrDefault(key, KeyControl.NONE) : KeyControl.NONE;
	}

	/**
	 * A key of a policy.
	 *
	 * @param policy the policy's name
	 * @param key the key
	 */
	public record Subject(String policy, String key) {

	}

}
