package io.github.ratelimit.spring.check;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.method.RateLimitedMethods;

/**
 * The checks of policies.
 */
public final class PolicyChecks {

	private static final String LOG_SIZE = "ratelimit.memory.max-log-size";

	/** A value in Redis of more than a megabyte is large. */
	private static final long MOST_IN_REDIS = 1_000_000;

	private PolicyChecks() {
	}

	/**
	 * Finds policies that nothing uses.
	 * @param policies the names of the configured policies
	 * @param used the names of the policies that are used
	 * @return the findings
	 */
	public static Stream<Finding> unused(Collection<String> policies, Set<String> used) {
		return policies.stream()
			.filter((policy) -> !used.contains(policy))
			.map((policy) -> new Finding(Kind.UNUSED_POLICY, policy, "Nothing uses the policy '" + policy
					+ "': no @RateLimited, no rule, and no bean with the RateLimiter. Use it or remove it."));
	}

	/**
	 * Finds penalties of policies that know no callers: the key of everyone is never
	 * banned.
	 * @param policies the names of the policies that have a penalty and only that key
	 * @param methods the limited methods, which may have other keys
	 * @return the findings
	 */
	public static Stream<Finding> idlePenalties(Collection<String> policies, RateLimitedMethods methods) {
		return policies.stream()
			.filter((policy) -> methods.all()
				.flatMap((method) -> method.keysOf(policy).stream())
				.flatMap(Collection::stream)
				.allMatch(Policy.EVERYONE::equals))
			.map((policy) -> new Finding(Kind.PENALTY_WITHOUT_CALLER, policy,
					"The policy '" + policy + "' has a penalty, but its key is '" + Policy.EVERYONE
							+ "', which is never banned. Set a key, such as 'client-ip', or remove the penalty."));
	}

	/**
	 * Finds sliding window logs that are too large for the memory: a time and a cost for
	 * each charge.
	 * @param policies the policies
	 * @param bytes the bytes for all logs of an instance
	 * @return the findings
	 */
	public static Stream<Finding> largeLogsInMemory(Collection<Policy> policies, long bytes) {
		return largeLogs(policies, 2 * Long.BYTES, bytes, ", and '" + LOG_SIZE + "' is " + bytes);
	}

	/**
	 * Finds sliding window logs that are too large for Redis.
	 * @param policies the policies
	 * @return the findings
	 */
	public static Stream<Finding> largeLogsInRedis(Collection<Policy> policies) {
		return largeLogs(policies, 11, MOST_IN_REDIS, " in Redis");
	}

	/**
	 * Finds memory of logs that takes up the heap.
	 * @param bytes the bytes for all logs of an instance
	 * @param heap the bytes of the heap
	 * @return the finding, if any
	 */
	public static Stream<Finding> largeLogs(long bytes, long heap) {
		return (bytes <= heap / 2) ? Stream.empty()
				: Stream.of(new Finding(Kind.LARGE_LOG, LOG_SIZE, "The property '" + LOG_SIZE + "' allows logs of "
						+ bytes + " bytes, but the heap has " + heap + ". Set it to less than half of the heap."));
	}

	private static Stream<Finding> largeLogs(Collection<Policy> policies, long charge, long most, String place) {
		return policies.stream()
			.flatMap((policy) -> Stream.concat(Stream.of(policy.standard()), policy.plans().values().stream())
				.flatMap((plan) -> Stream.concat(plan.limits().stream(), plan.candidates().stream()))
				.filter((limit) -> limit.algorithm() == Algorithm.SLIDING_WINDOW_LOG
						&& limit.rate().permits() > most / charge)
				.map((limit) -> largeLog(policy, limit, charge, place)));
	}

	private static Finding largeLog(Policy policy, Limit limit, long charge, String place) {
		return new Finding(Kind.LARGE_LOG, policy.name(),
				"The limit '" + limit + "' of the policy '" + policy.name() + "' remembers each charge, up to "
						+ limit.rate().permits() * charge + " bytes per key" + place
						+ ". Use 'sliding-window-counter'.");
	}

}
