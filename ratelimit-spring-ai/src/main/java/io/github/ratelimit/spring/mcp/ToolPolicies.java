package io.github.ratelimit.spring.mcp;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKeys;

/**
 * The policies that every call of a tool charges. Thread-safe.
 */
public final class ToolPolicies {

	/** The variable with the name of the tool. */
	private static final String TOOL = "tool";

	private static final String PLACE = "ratelimit.mcp.policies";

	/** The method of MCP that calls tools, in routes. */
	private static final String METHOD = "tools/call ";

	private volatile List<String> names;

	private final PolicyKeys keys;

	/**
	 * Creates the policies of calls.
	 * @param names the names of the policies
	 * @param policies the policies that may be charged
	 * @param keys creates the resolvers of keys, which may use the variable {@code #tool}
	 * @throws IllegalArgumentException if there is no such policy, or its key cannot be
	 * resolved for a call
	 */
	public ToolPolicies(List<String> names, Policies policies, KeyResolvers keys) {
		this.keys = new PolicyKeys(policies, keys, keys.scope().withVariables(Map.of(TOOL, String.class)), PLACE);
		this.names = checked(names, this.keys);
	}

	private static List<String> checked(List<String> names, PolicyKeys keys) {
		names.forEach((name) -> keys.get(name).policy().requireSatisfiable(1));
		return names.stream().distinct().toList();
	}

	/**
	 * Checks other policies. Nothing changes before the result runs.
	 * @param names the names of the policies
	 * @param policies the policies that may replace those in effect
	 * @return lets calls charge the policies
	 * @throws IllegalArgumentException if there is no such policy, or its key cannot be
	 * resolved for a call
	 */
	public Runnable prepare(List<String> names, Policies policies) {
		List<String> checked = checked(names, this.keys.by(policies));
		return () -> this.names = checked;
	}

	/**
	 * Returns the names of the policies.
	 * @return the names, each once
	 */
	public List<String> names() {
		return this.names;
	}

	/**
	 * Returns the charges of a call, one permit each.
	 * @param tool the name of the tool
	 * @param caller the caller
	 * @return the charges; none if no policy limits the call
	 * @throws RefusedCallerException if a policy blocks the caller, or denies callers
	 * without a key
	 */
	List<Charge> charges(String tool, Caller caller) {
		if (this.names.isEmpty()) {
			return List.of();
		}
		CallContext call = new CallContext(caller, Map.of(TOOL, tool), (request) -> METHOD + tool);
		return this.names.stream()
			.map((name) -> this.keys.get(name).charge(call, (any) -> 1))
			.filter(Objects::nonNull)
			.toList();
	}

}
