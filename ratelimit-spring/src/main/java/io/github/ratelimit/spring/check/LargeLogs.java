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
 * A check for sliding window logs that do not fit into the memory for them.
 *
 * @param policies supplies the policies
 * @param memory the bytes for all logs of an instance
 * @param heap the bytes of the heap
 */
public record LargeLogs(Supplier<Collection<Policy>> policies, long memory, long heap) implements StartCheck {

	private static final String PROPERTY = "ratelimit.memory.max-log-size";

	/** A time and a cost for each charge. */
	private static final long BYTES = 2 * Long.BYTES;

	@Override
	public Stream<Finding> findings() {
		return Stream.concat(ofHeap(), this.policies.get().stream().flatMap(this::ofPolicy));
	}

	private Stream<Finding> ofHeap() {
		return (this.memory <= this.heap / 2) ? Stream.empty()
				: Stream.of(new Finding(Kind.LARGE_LOG, PROPERTY,
						"The property '" + PROPERTY + "' allows logs of " + this.memory + " bytes, but the heap has "
								+ this.heap + ". Set it to less than half of the heap."));
	}

	private Stream<Finding> ofPolicy(Policy policy) {
		return Stream.concat(Stream.of(policy.standard()), policy.plans().values().stream())
			.flatMap((plan) -> Stream.concat(plan.limits().stream(), plan.candidates().stream()))
			.filter((limit) -> limit.algorithm() == Algorithm.SLIDING_WINDOW_LOG
					&& limit.rate().permits() > this.memory / BYTES)
			.map((limit) -> finding(policy, limit));
	}

	private Finding finding(Policy policy, Limit limit) {
		return new Finding(Kind.LARGE_LOG, policy.name(),
				"The limit '" + limit + "' of the policy '" + policy.name() + "' remembers each charge, up to "
						+ limit.rate().permits() * BYTES + " bytes per key, and '" + PROPERTY + "' is " + this.memory
						+ ". Use 'sliding-window-counter'.");
	}

}
