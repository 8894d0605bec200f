package io.github.ratelimit.spring.web;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.RateLimited;
import reactor.core.publisher.Mono;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Handler methods that have a limit and another annotation of Spring.
 */
@RestController
class AdvisedController {

	private final AtomicInteger runs = new AtomicInteger();

	AtomicInteger runs() {
		return this.runs;
	}

	@GetMapping("/retried/value")
	@RateLimited("two")
	@Retryable(delay = 1)
	String retried() {
		throw new IllegalStateException(run());
	}

	@GetMapping("/retried/mono")
	@RateLimited("two")
	@Retryable(delay = 1)
	Mono<String> retriedMono() {
		return Mono.defer(() -> Mono.error(new IllegalStateException(run())));
	}

	@GetMapping("/retried/argument")
	@RateLimited(policy = "two", key = "#name")
	@Retryable(delay = 1)
	Mono<String> retriedWithArgument(String name) {
		return Mono.defer(() -> Mono.error(new IllegalStateException(name + run())));
	}

	@GetMapping("/plain/cached")
	@RateLimited("two")
	@Cacheable("results")
	Mono<String> cached() {
		return Mono.fromSupplier(this::run);
	}

	@GetMapping("/plain/slot")
	@RateLimited("two")
	@ConcurrencyLimit(1)
	String slot() {
		return run();
	}

	@GetMapping("/plain/transacted")
	@RateLimited("two")
	@Transactional
	String transacted() {
		return run();
	}

	@GetMapping("/plain/started")
	@RateLimited("two")
	@Async
	CompletableFuture<String> started() {
		return CompletableFuture.completedFuture(run());
	}

	@GetMapping("/secured/value")
	@RateLimited("two")
	@PreAuthorize("hasRole('ADMIN')")
	String secured() {
		return run();
	}

	@GetMapping("/secured/mono")
	@RateLimited("two")
	@PreAuthorize("hasRole('ADMIN')")
	Mono<String> securedMono() {
		return Mono.fromSupplier(this::run);
	}

	private String run() {
		return "run " + this.runs.incrementAndGet();
	}

}
