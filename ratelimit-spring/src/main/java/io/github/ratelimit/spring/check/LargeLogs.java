package io.github.ratelimit.spring.check;

import java.util.Collection;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;

/**
 * A check for sliding window logs that are too large for the store that counts.
 *
 * @param policies supplies the policies
 * @param charge the bytes that a log takes for each charge
 * @param most the most bytes that a log should take
 * @param place the place of the log and what bounds it there, as the end of a clause
 */
public record LargeLogs(Supplier<Collection<Policy>> policies, long charge, long most,
		String place) implements StartCheck {

	private static final String PROPERTY = "ratelimit.memory.max-log-size";

	/**
	 * Returns a check for logs in memory: a time and a cost for each charge.
	 * @param policies supplies the policies
	 * @param bytes the bytes for all logs of an instance
	 * @return the check
	 */
	public static LargeLogs inMemory(Supplier<Collection<Policy>> policies, long bytes) {
		return new LargeLogs(policies, 2 * Long.BYTES, bytes, ", and '" + PROPERTY + "' is " + bytes);
	}

	/**
	 * Returns a check for logs in Redis, where a value of more than a megabyte is large.
	 * @param policies supplies the policies
	 * @return the check
	 */
	public static LargeLogs inRedis(Supplier<Collection<Policy>> policies) {
		return new LargeLogs(policies, 11, 1_000_000, " in Redis");
	}

	/**
	 * Returns a check for memory of logs that takes up the heap.
	 * @param bytes the bytes for all logs of an instance
	 * @param heap the bytes of the heap
	 * @return the check
	 */
	public static StartCheck ofHeap(long bytes, long heap) {
		return () -> (bytes <= heap / 2) ? Stream.empty()
				: Stream.of(new Finding(Kind.LARGE_LOG, PROPERTY, "The property '" + PROPERTY + "' allows logs of "
						+ bytes + " bytes, but the heap has " + heap + ". Set it to less than half of the heap."));
	}

	@Override
	public Stream<Finding> findings() {
		return this.policies.get().stream().flatMap(this::ofPolicy);
	}

	private Stream<Finding> ofPolicy(Policy policy) {
		return Stream.concat(Stream.of(policy.standard()), policy.plans().values().stream())
			.flatMap((plan) -> Stream.concat(plan.limits().stream(), plan.candidates().stream()))
			.filter((limit) -> limit.algorithm() == Algorithm.SLIDING_WINDOW_LOG
					&& limit.rate().permits() > this.most / this.charge)
			.map((limit) -> finding(policy, limit));
	}

	private Finding finding(Policy policy, Limit limit) {
		return new Finding(Kind.LARGE_LOG, policy.name(),
				"The limit '" + limit + "' of the policy '" + policy.name() + "' remembers each charge, up to "
						+ limit.rate().permits() * this.charge + " bytes per key" + this.place
						+ ". Use 'sliding-window-counter'.");
	}

}
