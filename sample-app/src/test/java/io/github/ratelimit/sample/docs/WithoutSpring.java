package io.github.ratelimit.sample.docs;

import java.util.List;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

/**
 * The limiter by itself.
 */
final class WithoutSpring {

	private WithoutSpring() {
	}

	static RateLimiter limiter() {
		Limit limit = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("100/1m")).withBurst(20);
		Policy policy = new Policy("mails", List.of(limit), List.of(Policy.EVERYONE));
		return new RateLimiter(new Policies(List.of(policy)), new MemoryRateLimitStore(100_000), List.of());
	}

}
