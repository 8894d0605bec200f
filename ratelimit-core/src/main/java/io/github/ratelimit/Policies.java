package io.github.ratelimit;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The policies of an application by name. Thread-safe.
 */
public final class Policies {

	private final ConcurrentMap<String, Policy> byName = new ConcurrentHashMap<>();

	private volatile Object edition = new Object();

	/**
	 * Policies to begin with.
	 * @param policies with distinct names
	 */
	public Policies(Collection<Policy> policies) {
		policies.forEach(this::add);
	}

	/**
	 * Adds a policy.
	 * @param policy whose name is not taken
	 * @throws IllegalArgumentException if it is
	 */
	public void add(Policy policy) {
		if (this.byName.putIfAbsent(policy.name(), policy) != null) {
			throw new IllegalArgumentException("there is already a policy named '" + policy.name() + "'");
		}
	}

	/**
	 * Puts a policy in the place of the one of its name. Calls that are decided from now
	 * on are decided by it, and what was spent before stays spent. Limits are told apart
	 * by their period: each takes over the count of the one of its period before.
	 * @param policy whose name is taken
	 * @throws IllegalArgumentException if it is not
	 */
	public void replace(Policy policy) {
		if (this.byName.replace(policy.name(), policy) == null) {
			throw unknown(policy.name());
		}
		this.edition = new Object();
	}

	/** The same object for as long as no policy is replaced. */
	Object edition() {
		return this.edition;
	}

	/**
	 * The policy of a name.
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
	 * Every policy.
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
