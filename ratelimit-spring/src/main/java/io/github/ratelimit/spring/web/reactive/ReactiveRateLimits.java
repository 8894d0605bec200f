package io.github.ratelimit.spring.web.reactive;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.charge.RateLimits;
import reactor.core.publisher.Mono;

/**
 * The rate limits of the request that a subscriber serves, for code that serves a cheaper
 * response before a limit is used up. Thread-safe.
 */
public final class ReactiveRateLimits {

	private final ReactiveRequests requests;

	/**
	 * Creates the limits of requests.
	 * @param requests the requests that subscribers serve
	 */
	public ReactiveRateLimits(ReactiveRequests requests) {
		this.requests = requests;
	}

	/**
	 * Emits what was decided for the current request so far.
	 * @return all limits of the request, also those in shadow; {@link Decision#UNLIMITED}
	 * if none was decided, or outside a request
	 */
	public Mono<Decision> current() {
		return Mono.deferContextual((context) -> Mono.just(RateLimits.of(this.requests.of(context))));
	}

}
