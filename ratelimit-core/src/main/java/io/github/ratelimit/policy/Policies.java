package io.github.ratelimit.policy;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The policies of an application by name. Thread-safe.
 */
public final class Policies {

	private volatile State state = new State(Map.of(), KeyControls.NONE, new Object());

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
	public synchronized void add(Policy policy) {
		if (this.state.byName().containsKey(policy.name())) {
			throw new IllegalArgumentException("there is already a policy named '" + policy.name() + "'");
		}
		replaceAll(List.of(policy));
	}

	/**
	 * Replaces the policy of the same name. It decides all calls from now on, and spent
	 * permits stay spent. Each limit takes over the count of the earlier limit with its
	 * period.
	 * @param policy a policy with a known name
	 * @throws IllegalArgumentException if no policy has the name
	 */
	public synchronized void replace(Policy policy) {
		get(policy.name());
		replaceAll(List.of(policy));
	}

	/**
	 * Replaces the policies of the same names, and adds those with new names, as one
	 * change. Other policies stay. Spent permits stay spent.
	 * @param policies the policies
	 */
	public synchronized void replaceAll(Collection<Policy> policies) {
		Map<String, Policy> byName = new HashMap<>(this.state.byName());
		policies.forEach((policy) -> byName.put(policy.name(), policy));
		this.state = new State(byName, this.state.controls(), new Object());
	}

	/**
	 * Replaces the controls of single keys. They apply to all calls from now on.
	 * @param controls the controls
	 */
	public synchronized void control(KeyControls controls) {
		this.state = new State(this.state.byName(), controls, new Object());
	}

	/**
	 * Returns the controls of single keys.
	 * @return the controls that apply now
	 */
	public KeyControls controls() {
		return this.state.controls();
	}

	/**
	 * Returns an object that stays the same until a policy or the controls are replaced.
	 * @return the edition
	 */
	public Object edition() {
		return this.state.edition();
	}

	/**
	 * Returns the policy of a name.
	 * @param name a policy's name
	 * @return the policy
	 * @throws IllegalArgumentException if there is none
	 */
	public Policy get(String name) {
		Policy policy = this.state.byName().get(name);
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
		Map<String, Policy> byName = this.state.byName();
		return byName.keySet().stream().sorted().map(byName::get).toList();
	}

	/**
	 * Returns the names of all policies.
	 * @return a sorted snapshot
	 */
	public List<String> names() {
		return this.state.byName().keySet().stream().sorted().toList();
	}

	/**
	 * Returns whether the local share of any policy depends on the number of instances.
	 * @return whether one is {@link LocalShare#AUTO}
	 */
	public boolean haveAutoShares() {
		return this.state.byName().values().stream().anyMatch((policy) -> policy.options().localShare().isAuto());
	}

	private IllegalArgumentException unknown(String name) {
		return new IllegalArgumentException("there is no policy named '" + name + "'; there are " + names());
	}

	/**
	 * The policies and controls at a moment.
	 *
	 * @param byName a map that is not modified. An unmodifiable one would take a division
	 * for each lookup
	 * @param controls the controls of single keys
	 * @param edition differs from that of every other moment. Caches keep it, and would
	 * keep all controls with the state itself
	 */
	private record State(Map<String, Policy> byName, KeyControls controls, Object edition) {

	}

}
