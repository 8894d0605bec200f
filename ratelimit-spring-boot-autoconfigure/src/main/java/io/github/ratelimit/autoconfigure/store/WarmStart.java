package io.github.ratelimit.autoconfigure.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.RateLimitStore;

import org.springframework.context.SmartLifecycle;

/**
 * A lifecycle step that rehearses a call of each policy if the store is in Redis, before
 * web servers and listeners accept calls.
 */
final class WarmStart implements SmartLifecycle {

	private static final String KEY = "rehearsal";

	private final RateLimitStore store;

	private final Policies policies;

	private final Duration longest;

	private volatile boolean running;

	WarmStart(RateLimitStore store, Policies policies, Duration longest) {
		this.store = store;
		this.policies = policies;
		this.longest = longest;
	}

	@Override
	public void start() {
		this.running = true;
		if (this.store instanceof RedisRateLimitStore redis) {
			rehearse(redis);
		}
	}

	private void rehearse(RedisRateLimitStore redis) {
		try {
			redis.rehearse(this::callEach, this.longest);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return StartPhase.BEFORE_CALLS;
	}

	private void callEach(RateLimitStore rehearsal) {
		RateLimiter limiter = new RateLimiter(this.policies, rehearsal, List.of());
		for (Policy policy : this.policies.all()) {
			charges(policy).forEach((charge) -> limiter.peek(List.of(charge)));
		}
	}

	private static List<Charge> charges(Policy policy) {
		Charge standard = Charge.of(policy.name(), KEY);
		List<Charge> charges = new ArrayList<>(List.of(standard));
		policy.plans().keySet().forEach((plan) -> charges.add(standard.withPlan(plan)));
		return charges;
	}

}
