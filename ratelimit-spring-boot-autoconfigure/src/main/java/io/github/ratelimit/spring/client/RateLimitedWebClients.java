package io.github.ratelimit.spring.client;

import java.util.function.Function;

import io.github.ratelimit.Policies;
import io.github.ratelimit.RateLimiter;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;

/**
 * Makes filters that keep the calls of a {@code WebClient} under a policy, as
 * {@link RateLimitedClients} does for clients that block. Each subscription is a call of
 * its own, and waits without blocking a thread. Thread-safe.
 */
public final class RateLimitedWebClients {

	private final RateLimiter limiter;

	private final Policies policies;

	private final Upstreams upstreams;

	private final Scheduler scheduler;

	/**
	 * Filters.
	 * @param limiter decides
	 * @param policies what may be charged
	 * @param upstreams what upstreams asked for
	 */
	public RateLimitedWebClients(RateLimiter limiter, Policies policies, Upstreams upstreams) {
		this(limiter, policies, upstreams, Schedulers.parallel());
	}

	RateLimitedWebClients(RateLimiter limiter, Policies policies, Upstreams upstreams, Scheduler scheduler) {
		this.limiter = limiter;
		this.policies = policies;
		this.upstreams = upstreams;
		this.scheduler = scheduler;
	}

	/**
	 * A filter that charges a policy for each host that is called on its own.
	 * @param policy the policy's name; who is charged is not what its {@code key} says
	 * @return the filter
	 * @throws io.github.ratelimit.InvalidRateLimitException if there is no such policy
	 */
	public ExchangeFilterFunction filter(String policy) {
		return filter(policy, (request) -> RateLimitedClients.host(request.url()));
	}

	/**
	 * A filter that charges a policy for a key.
	 * @param policy the policy's name; who is charged is not what its {@code key} says
	 * @param key who is charged for a request; must be thread-safe and must not block
	 * @return the filter
	 * @throws io.github.ratelimit.InvalidRateLimitException if there is no such policy
	 */
	public ExchangeFilterFunction filter(String policy, Function<ClientRequest, String> key) {
		return new OutboundFilter(new OutboundPolicy(policy, this.policies, this.upstreams), key, this.limiter,
				this.scheduler);
	}

}
