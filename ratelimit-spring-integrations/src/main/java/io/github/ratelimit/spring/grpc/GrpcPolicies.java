package io.github.ratelimit.spring.grpc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.key.PolicyKey;
import io.github.ratelimit.spring.key.PolicyKeys;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The policies that every gRPC call charges, except calls of the services that watch or
 * describe the server. Thread-safe.
 */
public final class GrpcPolicies {

	private static final Set<String> FREE_SERVICES = Set.of("grpc.health.v1.Health",
			"grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection");

	private volatile List<String> names;

	private final PolicyKeys keys;

	/**
	 * Creates the policies of calls.
	 * @param names the names of the policies
	 * @param keys the policies by name, with the resolvers of their keys
	 * @throws IllegalArgumentException if there is no such policy, or its key cannot be
	 * resolved for a call
	 */
	public GrpcPolicies(List<String> names, PolicyKeys keys) {
		this.names = checked(names, keys);
		this.keys = keys;
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
	 * @param method the method that is called
	 * @param caller the caller
	 * @param deadline the end of the time that the caller gives the call, if it has one
	 * @return the charges; none if no policy limits the call
	 * @throws RefusedCallerException if a policy blocks the caller, or denies callers
	 * without a key
	 */
	List<Charge> charges(MethodDescriptor<?, ?> method, Caller caller, @Nullable Deadline deadline) {
		List<String> names = this.names;
		if (names.isEmpty() || FREE_SERVICES.contains(String.valueOf(method.getServiceName()))) {
			return List.of();
		}
		CallContext call = new CallContext(caller, Map.of(), (request) -> method.getFullMethodName());
		List<Charge> charges = new ArrayList<>();
		for (String name : names) {
			PolicyKey key = this.keys.get(name);
			Charge charge = key.charge(call, (any) -> 1);
			if (charge != null) {
				charges.add(inTime(charge, key.policy().options().maxWait(), deadline));
			}
		}
		return charges;
	}

	/**
	 * Returns a charge whose call does not wait beyond its deadline, as its client gives
	 * up then.
	 */
	private static Charge inTime(Charge charge, Duration maxWait, @Nullable Deadline deadline) {
		if (deadline == null || maxWait.isZero()) {
			return charge;
		}
		Duration left = Duration.ofNanos(Math.max(0, deadline.timeRemaining(TimeUnit.NANOSECONDS)));
		return (left.compareTo(maxWait) < 0) ? charge.waitingUpTo(left) : charge;
	}

}
