package io.github.ratelimit.spring.method;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.annotation.security.RolesAllowed;

import io.github.ratelimit.RateLimited;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.ConcurrencyLimit.ThrottlePolicy;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.annotation.Secured;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.transaction.annotation.Transactional;

/**
 * Methods that have a limit and another annotation of Spring, for each way to return.
 */
class AdvisedService {

	private final AtomicInteger runs = new AtomicInteger();

	private volatile @Nullable Thread thread;

	private final ObjectProvider<AdvisedService> self;

	AdvisedService(ObjectProvider<AdvisedService> self) {
		this.self = self;
	}

	AtomicInteger runs() {
		return this.runs;
	}

	@Nullable Thread thread() {
		return this.thread;
	}

	@RateLimited("two")
	@Retryable(delay = 1)
	String retried() {
		throw failure();
	}

	@RateLimited("two")
	@Retryable(delay = 1)
	CompletableFuture<String> retriedStage() {
		throw failure();
	}

	@RateLimited("two")
	@Retryable(delay = 1)
	Mono<String> retriedMono() {
		return Mono.defer(() -> Mono.error(failure()));
	}

	@Retryable(delay = 1)
	String retriedWithoutLimit() {
		throw failure();
	}

	/** Calls itself while it has the only turn. */
	@RateLimited("one")
	@ConcurrencyLimit(limit = 1, policy = ThrottlePolicy.REJECT)
	String alone() {
		return this.self.getObject().alone();
	}

	@RateLimited("one")
	@ConcurrencyLimit(limit = 1, policy = ThrottlePolicy.REJECT)
	CompletableFuture<String> aloneStage() {
		return this.self.getObject().aloneStage();
	}

	@RateLimited("one")
	@ConcurrencyLimit(limit = 1, policy = ThrottlePolicy.REJECT)
	Mono<String> aloneMono() {
		return this.self.getObject().aloneMono();
	}

	@RateLimited("two")
	@Cacheable("results")
	String cached() {
		return run();
	}

	@RateLimited("two")
	@Cacheable("results")
	CompletableFuture<String> cachedStage() {
		return CompletableFuture.completedFuture(run());
	}

	@RateLimited("two")
	@Cacheable("results")
	Mono<String> cachedMono() {
		return Mono.fromSupplier(this::run);
	}

	@RateLimited("two")
	@Transactional
	String transacted() {
		return run();
	}

	@RateLimited("two")
	@Transactional
	CompletableFuture<String> transactedStage() {
		return CompletableFuture.completedFuture(run());
	}

	@RateLimited("two")
	@PreAuthorize("hasRole('ADMIN')")
	String secured() {
		return run();
	}

	@RateLimited("two")
	@PreAuthorize("hasRole('ADMIN')")
	CompletableFuture<String> securedStage() {
		return CompletableFuture.completedFuture(run());
	}

	@RateLimited("two")
	@PreAuthorize("hasRole('ADMIN')")
	Mono<String> securedMono() {
		return Mono.fromSupplier(this::run);
	}

	@RateLimited("two")
	@Secured("ROLE_ADMIN")
	String securedByRole() {
		return run();
	}

	@RateLimited("two")
	@RolesAllowed("ADMIN")
	String securedByStandard() {
		return run();
	}

	@RateLimited("two")
	@PostAuthorize("hasRole('ADMIN')")
	String securedAfterwards() {
		return run();
	}

	@RateLimited(value = "two", refundOn = AccessDeniedException.class)
	@PostAuthorize("hasRole('ADMIN')")
	String refundedAfterwards() {
		return run();
	}

	@RateLimited("two")
	@Async
	void started() {
		this.thread = Thread.currentThread();
		run();
	}

	@RateLimited("two")
	@Async
	CompletableFuture<String> startedStage() {
		this.thread = Thread.currentThread();
		return CompletableFuture.completedFuture(run());
	}

	@RateLimited(value = "two", refundOn = IllegalStateException.class)
	@Async
	void refundedStart() {
		throw failure();
	}

	@RateLimited("two")
	@PreAuthorize("hasRole('ADMIN')")
	@Retryable(delay = 1)
	String securedRetried() {
		return run();
	}

	@RateLimited(value = "two", refundOn = AccessDeniedException.class)
	@PreAuthorize("hasRole('ADMIN')")
	@Retryable(delay = 1)
	String refundedRetried() {
		return run();
	}

	@RateLimited("two")
	@Async
	@ConcurrencyLimit(1)
	@Retryable(delay = 1)
	@Transactional
	@Cacheable("results")
	CompletableFuture<String> all() {
		throw failure();
	}

	private String run() {
		return "run " + this.runs.incrementAndGet();
	}

	private IllegalStateException failure() {
		return new IllegalStateException("failed " + run());
	}

}
