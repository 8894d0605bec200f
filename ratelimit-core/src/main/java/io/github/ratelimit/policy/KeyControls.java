package io.github.ratelimit.policy;

import java.util.Map;

/**
 * The controls of all keys that have one. Immutable.
 */
public final class KeyControls {

	/** No controls. */
	public static final KeyControls NONE = new KeyControls(Map.of());

	private final Map<Subject, KeyControl> byKey;

	/**
	 * Creates controls.
	 * @param byKey the controls of keys
	 */
	public KeyControls(Map<Subject, KeyControl> byKey) {
		this.byKey = Map.copyOf(byKey);
	}

	/**
	 * Returns whether no key has a control.
	 * @return whether there are none
	 */
	public boolean isEmpty() {
		return this.byKey.isEmpty();
	}

	/**
	 * Returns the control of a key.
	 * @param policy the policy's name
	 * @param key the key, such as {@code principal:alice}
	 * @return the control, which is {@link KeyControl#NONE} for most keys
	 */
	public KeyControl of(String policy, String key) {
		return this.byKey.isEmpty() ? KeyControl.NONE
				: this.byKey.getOrDefault(new Subject(policy, key), KeyControl.NONE);
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
