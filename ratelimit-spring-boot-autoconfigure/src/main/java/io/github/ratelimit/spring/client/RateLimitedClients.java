package io.github.ratelimit.spring.client;

import java.net.URI;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

import io.github.ratelimit.Policies;
import io.github.ratelimit.Policy;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.store.RateLimitStoreException;

import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestInterceptor;

/**
 * Makes interceptors that keep the calls of a {@code RestClient} or {@code RestTemplate}
 * under a policy. Thread-safe.
 *
 * <p>
 * A call costs one permit. Where there is none it waits, on its thread, for as long as
 * the policy lets calls wait, and else ends in a {@link RateLimitExceededException}; it
 * never ends in an answer that the upstream did not give. After a 429 of the upstream
 * with {@code Retry-After}, further calls under the same policy and key are held back
 * until then, though not for more than a minute: they wait, or end in an
 * {@link UpstreamHoldException}. The 429 itself is passed on, and no call is repeated.
 *
 * <p>
 * A call that the store could not decide on ends in a {@link RateLimitStoreException}.
 */
public final class RateLimitedClients {

	private final RateLimiter limiter;

	private final Policies policies;

	private final Upstreams upstreams;

	/**
	 * Interceptors.
	 * @param limiter decides
	 * @param policies what may be charged
	 * @param upstreams what upstreams asked for
	 */
	public RateLimitedClients(RateLimiter limiter, Policies policies, Upstreams upstreams) {
		this.limiter = limiter;
		this.policies = policies;
		this.upstreams = upstreams;
	}

	/**
	 * An interceptor that charges a policy for each host that is called on its own.
	 * @param policy the policy's name; who is charged is not what its {@code key} says
	 * @return the interceptor
	 * @throws io.github.ratelimit.InvalidRateLimitException if there is no such policy
	 */
	public ClientHttpRequestInterceptor interceptor(String policy) {
		return interceptor(policy, (request) -> host(request.getURI()));
	}

	/**
	 * An interceptor that charges a policy for a key.
	 * @param policy the policy's name; who is charged is not what its {@code key} says
	 * @param key who is charged for a request; must be thread-safe
	 * @return the interceptor
	 * @throws io.github.ratelimit.InvalidRateLimitException if there is no such policy
	 */
	public ClientHttpRequestInterceptor interceptor(String policy, Function<HttpRequest, String> key) {
		return new OutboundInterceptor(new OutboundPolicy(policy, this.policies, this.upstreams), key, this.limiter,
				this.upstreams.time());
	}

	/** The host of an address, or everyone together where it has none. */
	static String host(URI uri) {
		return Objects.requireNonNullElse(uri.getHost(), Policy.EVERYONE).toLowerCase(Locale.ROOT);
	}

}
