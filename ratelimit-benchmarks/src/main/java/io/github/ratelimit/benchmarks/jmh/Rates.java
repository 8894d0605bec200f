package io.github.ratelimit.benchmarks.jmh;

import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.PolicyLimit;

/**
 * The limits that all benchmarks ask.
 */
final class Rates {

	/** Permits at once, more than are ever asked for. */
	static final int BURST = 1_000_000_000;

	/** Permits an hour, so few that what is spent stays spent. */
	static final int PERMITS = 1000;

	static final String POLICY = "benchmark";

	private Rates() {
	}

	static Limit limit(String rate) {
		return Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse(rate));
	}

	static Limit roomy() {
		return limit(PERMITS + "/1h").withBurst(BURST);
	}

	static Policies policies(Limit... limits) {
		return new Policies(List.of(new Policy(POLICY, List.of(limits), List.of(Policy.EVERYONE))));
	}

	static PolicyLimit policyLimit(Limit limit) {
		return new PolicyLimit(POLICY, POLICY, 0, limit, 0);
	}

}
