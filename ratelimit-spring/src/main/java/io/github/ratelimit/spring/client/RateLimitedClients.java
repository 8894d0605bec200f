package io.github.ratelimit.spring.client;

import java.net.URI;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.RateLimitStoreException;

import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestInterceptor;

/**
 * A factory of interceptors that keep the calls of a {@code RestClient} or {@code
 * RestTemplate} under a policy. Thread-safe.
 *
 * <p>
 * A call costs one permit by default. Without room it waits on its thread for as long as
 * the policy allows, and then ends in a {@link RateLimitExceededException}, never in a
 * response that the upstream did not send. A 429 or 503 of the upstream with
 * {@code Retry-After} pauses the policy and key for that time, a minute at most: further
 * calls wait, or end in an {@link UpstreamPausedException}. The response is passed on,
 * and no call is retried.
 *
 * <p>
 * If the store fails and the policy denies then, a call ends in a
 * {@link RateLimitStoreException}.
 */
public final class RateLimitedClients {

	private final RateLimiter limiter;

	private final Policies policies;

	private final UpstreamPauses pauses;

	/**
	 * Creates a factory.
	 * @param limiter the limiter that decides
	 * @param policies the policies that may be charged
	 * @param pauses the pauses of upstreams
	 */
	public RateLimitedClients(RateLimiter limiter, Policies policies, UpstreamPauses pauses) {
		this.limiter = limiter;
		this.policies = policies;
		this.pauses = pauses;
	}

	/**
	 * Returns an interceptor that charges a policy for each host on its own.
	 * @param policy the name of the policy, whose {@code key} has no effect
	 * @return the interceptor
	 * @throws io.github.ratelimit.policy.InvalidRateLimitConfigurationException if there
	 * is no such policy
	 */
	public ClientHttpRequestInterceptor interceptor(String policy) {
		return interceptor(policy, (request) -> host(request.getURI()));
	}

	/**
	 * Returns an interceptor that charges a policy for a key.
	 * @param policy the name of the policy, whose {@code key} has no effect
	 * @param key returns the key to charge for a request; must be thread-safe
	 * @return the interceptor
	 * @throws io.github.ratelimit.policy.InvalidRateLimitConfigurationException if there
	 * is no such policy
	 */
	public ClientHttpRequestInterceptor interceptor(String policy, Function<HttpRequest, String> key) {
		return interceptor(policy, key, (request) -> 1);
	}

	/**
	 * Returns an interceptor that charges a policy for a key by the cost of a request.
	 * @param policy the name of the policy, whose {@code key} has no effect
	 * @param key returns the key to charge for a request; must be thread-safe
	 * @param cost returns the permits that a request costs, at least 0; must be
	 * thread-safe
	 * @return the interceptor
	 * @throws io.github.ratelimit.policy.InvalidRateLimitConfigurationException if there
	 * is no such policy
	 */
	public ClientHttpRequestInterceptor interceptor(String policy, Function<HttpRequest, String> key,
			ToLongFunction<HttpRequest> cost) {
		return new OutboundInterceptor(new OutboundPolicy(policy, this.policies, this.pauses), key, cost, this.limiter,
				this.pauses.clock());
	}

	/**
	 * Returns the host of an address, or the key of all callers together if it has none.
	 */
	static String host(URI uri) {
		return Objects.requireNonNullElse(uri.getHost(), Policy.EVERYONE).toLowerCase(Locale.ROOT);
	}

}
