package io.github.ratelimit.store;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Limit;

/**
 * Permit requests of plain policies, for tests.
 */
public final class PermitRequests {

	private PermitRequests() {
	}

	/**
	 * Creates the requests of a call that does not wait, for every limit of a policy.
	 * @param policy the policy's name
	 * @param limits its limits
	 * @param key the key to charge
	 * @param cost permits
	 * @return a request for each limit
	 */
	public static List<PermitRequest> of(String policy, List<Limit> limits, String key, long cost) {
		return IntStream.range(0, limits.size())
			.mapToObj((index) -> new PolicyLimit(policy, policy, ofPeriod(limits, index), limits.get(index), 0))
			.map((policyLimit) -> new PermitRequest(policyLimit, key, cost, 0))
			.toList();
	}

	private static int ofPeriod(List<Limit> limits, int index) {
		long period = limits.get(index).periodMicros();
		return (int) limits.stream().limit(index).filter((limit) -> limit.periodMicros() == period).count();
	}

	/**
	 * Combines the requests of two policies.
	 * @param one the requests of one
	 * @param other the requests of another
	 * @return all of them
	 */
	public static List<PermitRequest> and(List<PermitRequest> one, List<PermitRequest> other) {
		return Stream.concat(one.stream(), other.stream()).toList();
	}

}
