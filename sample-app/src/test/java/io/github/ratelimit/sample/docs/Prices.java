package io.github.ratelimit.sample.docs;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.RateLimited;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Limited methods that answer later.
 */
class Prices {

	@RateLimited("prices")
	Mono<Integer> latest() {
		return Mono.just(42);
	}

	@RateLimited("prices")
	Flux<Integer> all() {
		return Flux.just(42, 43);
	}

	@RateLimited("prices")
	CompletableFuture<Integer> average() {
		return CompletableFuture.completedFuture(42);
	}

}
