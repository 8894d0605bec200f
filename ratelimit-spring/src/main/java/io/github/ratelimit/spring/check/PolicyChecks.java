package io.github.ratelimit.spring.check;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.CallerSelectors.OwnPermits;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.method.RateLimitedMethods;

/**
 * The checks of policies.
 */
public final class PolicyChecks {

	private static final String LOG_SIZE = "ratelimit.memory.max-log-size";

	/** A value of more than a megabyte is large. */
	private static final long MOST_IN_A_STORE = 1_000_000;

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
			.map((policy) -> new Finding(Kind.UNUSED_POLICY, policy,
					"Nothing uses the policy '" + policy
							+ "': no @RateLimited, no rule, no route of a gateway and no other property names it, "
							+ "and no bean has the RateLimiter or limited clients. Use it or remove it."));
	}

	/**
	 * Finds penalties of policies that know no callers: the key of everyone is never
	 * banned.
	 * @param penalties the words for the keys of each policy that has a penalty
	 * @param methods the limited methods, which may have other keys
	 * @return the findings
	 */
	public static Stream<Finding> idlePenalties(Map<String, List<String>> penalties, RateLimitedMethods methods) {
		return penalties.keySet()
			.stream()
			.filter((policy) -> words(policy, penalties, methods).allMatch(Policy.EVERYONE::equals))
			.map((policy) -> new Finding(Kind.PENALTY_WITHOUT_CALLER, policy,
					"The policy '" + policy + "' has a penalty, but its key is '" + Policy.EVERYONE
							+ "', which is never banned. Set a key, such as 'client-ip', or remove the penalty."));
	}

	/**
	 * Finds penalties that ban by keys which a client may be able to choose.
	 * @param penalties the words for the keys of each policy that has a penalty
	 * @param methods the limited methods, which may have other keys
	 * @param keys tells whether a client may choose the keys of words
	 * @return the findings
	 */
	public static Stream<Finding> chosenKeys(Map<String, List<String>> penalties, RateLimitedMethods methods,
			KeyResolvers keys) {
		return penalties.keySet().stream().flatMap((policy) -> {
			List<String> chosen = words(policy, penalties, methods).filter(keys::mayBeChosen).distinct().toList();
			return chosen.isEmpty() ? Stream.empty()
					: Stream.of(new Finding(Kind.PENALTY_BY_CHOSEN_KEY, policy,
							"The penalty of the policy '" + policy + "' bans keys by " + chosen
									+ ". If a client can choose such a key, it can have another caller banned."));
		});
	}

	/**
	 * Finds policies whose calls tell the permits of their limit in a way that a client
	 * may choose.
	 * @param policies the policies
	 * @param keys tells whether a client may choose what words resolve to
	 * @return the findings
	 */
	public static Stream<Finding> chosenPermits(Collection<Policy> policies, KeyResolvers keys) {
		return policies.stream().flatMap((policy) -> {
			OwnPermits own = policy.callers().permits();
			return (own == null || !keys.mayBeChosen(own)) ? Stream.empty()
					: Stream.of(new Finding(Kind.CHOSEN_PERMITS, policy.name(),
							"The policy '" + policy.name() + "' has its permits from '" + own.from()
									+ "'. If a client can choose that, it can have a limit of up to " + own.most()
									+ ". Use a claim, or ignore this if a gateway sets it."));
		});
	}

	private static Stream<String> words(String policy, Map<String, List<String>> penalties,
			RateLimitedMethods methods) {
		return Stream.concat(penalties.getOrDefault(policy, List.of()).stream(),
				methods.all().flatMap((method) -> method.keysOf(policy).stream()).flatMap(List::stream));
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
	 * Finds sliding window logs that are too large for a shared store, by their size in
	 * Redis.
	 * @param store the name of the store
	 * @param policies the policies
	 * @return the findings
	 */
	public static Stream<Finding> largeLogsIn(String store, Collection<Policy> policies) {
		return largeLogs(policies, 11, MOST_IN_A_STORE, " in the store '" + store + "'");
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
