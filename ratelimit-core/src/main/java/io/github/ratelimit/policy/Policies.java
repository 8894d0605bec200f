package io.github.ratelimit.policy;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The policies of an application by name. Thread-safe.
 */
public final class Policies {

	private final ConcurrentMap<String, Policy> byName = new ConcurrentHashMap<>();

	private volatile KeyControls controls = KeyControls.NONE;

	private volatile Object edition = new Object();

	/**
	 * Creates a collection of policies.
	 * @param policies the policies to start with, with distinct names
	 */
	public Policies(Collection<Policy> policies) {
		policies.forEach(this::add);
	}

	/**
	 * Adds a policy.
	 * @param policy a policy with a new name
	 * @throws IllegalArgumentException if a policy has the name
	 */
	public void add(Policy policy) {
		if (this.byName.putIfAbsent(policy.name(), policy) != null) {
			throw new IllegalArgumentException("there is already a policy named '" + policy.name() + "'");
		}
	}

	/**
	 * Replaces the policy of the same name. It decides all calls from now on, and spent
	 * permits stay spent. Each limit takes over the count of the earlier limit with its
	 * period.
	 * @param policy a policy with a known name
	 * @throws IllegalArgumentException if no policy has the name
	 */
	public void replace(Policy policy) {
		if (this.byName.replace(policy.name(), policy) == null) {
			throw unknown(policy.name());
		}
		this.edition = new Object();
	}

	/**
	 * Replaces the controls of single keys. They apply to all calls from now on.
	 * @param controls the controls
	 */
	public void control(KeyControls controls) {
		this.controls = controls;
		this.edition = new Object();
	}

	/**
	 * Returns the controls of single keys.
	 * @return the controls that apply now
	 */
	public KeyControls controls() {
		return this.controls;
	}

	/**
	 * Returns an object that stays the same until a policy or the controls are replaced.
	 * @return the edition
	 */
	public Object edition() {
		return this.edition;
	}

	/**
	 * Returns the policy of a name.
	 * @param name a policy's name
	 * @return the policy
	 * @throws IllegalArgumentException if there is none
	 */
	public Policy get(String name) {
		Policy policy = this.byName.get(name);
		if (policy == null) {
			throw unknown(name);
		}
		return policy;
	}

	/**
	 * Returns all policies.
	 * @return a snapshot in the order of names
	 */
	public List<Policy> all() {
		return names().stream().map(this.byName::get).toList();
	}

	private IllegalArgumentException unknown(String name) {
		return new IllegalArgumentException("there is no policy named '" + name + "'; there are " + names());
	}

	private List<String> names() {
		return this.byName.keySet().stream().sorted().toList();
	}

}
