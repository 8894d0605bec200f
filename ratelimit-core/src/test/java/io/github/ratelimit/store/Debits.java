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
			.mapToObj((index) -> new Clause(policy, policy, ofPeriod(limits, index), limits.get(index), 0))
			.map((clause) -> new Debit(clause, key, cost, 0))
			.toList();
	}

	private static int ofPeriod(List<Limit> limits, int index) {
		long period = limits.get(index).periodMicros();
		return (int) limits.stream().limit(index).filter((limit) -> limit.periodMicros() == period).count();
	}

	/**
	 * What two policies ask for as one call.
	 * @param one the debits of one
	 * @param other the debits of another
	 * @return all of them
	 */
	public static List<Debit> and(List<Debit> one, List<Debit> other) {
		return Stream.concat(one.stream(), other.stream()).toList();
	}

}
