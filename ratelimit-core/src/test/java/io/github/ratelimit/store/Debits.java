package io.github.ratelimit.store;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Limit;

/**
 * Debits of plain policies, for tests.
 */
public final class Debits {

	private Debits() {
	}

	/**
	 * What a call that does not wait asks of every limit of a policy.
	 * @param policy the policy's name
	 * @param limits its limits
	 * @param key who is charged
	 * @param cost permits
	 * @return a debit for each limit
	 */
	public static List<Debit> of(String policy, List<Limit> limits, String key, long cost) {
		return IntStream.range(0, limits.size())
			.mapToObj((position) -> new Debit(new Clause(policy, policy, position, limits.get(position), 0), key, cost,
					0))
			.toList();
	}

	/**
	 * Two policies' debits as one call.
	 * @param one what is asked of the first
	 * @param other what is asked of the second
	 * @return all of it
	 */
	public static List<Debit> and(List<Debit> one, List<Debit> other) {
		return Stream.concat(one.stream(), other.stream()).toList();
	}

}
