package io.github.ratelimit.spring.client;

import java.util.function.Function;
import java.util.function.ToLongFunction;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policies;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;

/**
 * A factory of filters that keep the calls of a {@code WebClient} under a policy, as
 * {@link RateLimitedClients} does for clients that block. Each subscription is a call of
 * its own and waits without blocking a thread. Thread-safe.
 */
public final class RateLimitedWebClients {

	private final RateLimiter limiter;

	private final Policies policies;

	private final UpstreamPauses pauses;

	private final Scheduler scheduler;

	/**
	 * Creates a factory.
	 * @param limiter the limiter that decides
	 * @param policies the policies that may be charged
	 * @param pauses the pauses of upstreams
	 */
	public RateLimitedWebClients(RateLimiter limiter, Policies policies, UpstreamPauses pauses) {
		this(limiter, policies, pauses, Schedulers.parallel());
	}

	RateLimitedWebClients(RateLimiter limiter, Policies policies, UpstreamPauses pauses, Scheduler scheduler) {
		this.limiter = limiter;
		this.policies = policies;
		this.pauses = pauses;
		this.scheduler = scheduler;
	}

	/**
	 * Returns a filter that charges a policy for each host on its own.
	 * @param policy the name of the policy, whose {@code key} has no effect
	 * @return the filter
	 * @throws io.github.ratelimit.policy.InvalidRateLimitConfigurationException if there
	 * is no such policy
	 */
	public ExchangeFilterFunction filter(String policy) {
		return filter(policy, (request) -> RateLimitedClients.host(request.url()));
	}

	/**
	 * Returns a filter that charges a policy for a key.
	 * @param policy the name of the policy, whose {@code key} has no effect
	 * @param key returns the key to charge for a request; must be thread-safe and must
	 * not block
	 * @return the filter
	 * @throws io.github.ratelimit.policy.InvalidRateLimitConfigurationException if there
	 * is no such policy
	 */
	public ExchangeFilterFunction filter(String policy, Function<ClientRequest, String> key) {
		return filter(policy, key, (request) -> 1);
	}

	/**
	 * Returns a filter that charges a policy for a key by the cost of a request.
	 * @param policy the name of the policy, whose {@code key} has no effect
	 * @param key returns the key to charge for a request; must be thread-safe and must
	 * not block
	 * @param cost returns the permits that a request costs, at least 0; must be
	 * thread-safe and must not block
	 * @return the filter
	 * @throws io.github.ratelimit.policy.InvalidRateLimitConfigurationException if there
	 * is no such policy
	 */
	public ExchangeFilterFunction filter(String policy, Function<ClientRequest, String> key,
			ToLongFunction<ClientRequest> cost) {
		return new OutboundFilter(new OutboundPolicy(policy, this.policies, this.pauses), key, cost, this.limiter,
				this.scheduler);
	}

}
