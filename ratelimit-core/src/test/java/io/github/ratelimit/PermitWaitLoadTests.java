package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of many calls that wait for a few permits, on the process's own clock.
 */
@Timeout(60)
class PermitWaitLoadTests {

	private static final int PERMITS = 5;

	private static final int THREADS = 64;

	private static final int CALLS = 50;

	private final Policies policies = new Policies(
			List.of(new Policy("slots", List.of(Limit.parse(PERMITS + " concurrent", Algorithm.TOKEN_BUCKET)),
					List.of(Policy.EVERYONE))
				.withOptions(PolicyOptions.STANDARD.withMaxWait(Duration.ofMinutes(1)))));

	private final AtomicInteger waiting = new AtomicInteger();

	private final RateLimiter limiter = new RateLimiter(this.policies, new MemoryRateLimitStore(100),
			List.of(new RateLimitListener() {

				@Override
				public void waiting(List<String> policies) {
					PermitWaitLoadTests.this.waiting.incrementAndGet();
				}

				@Override
				public void waited(List<String> policies) {
					PermitWaitLoadTests.this.waiting.decrementAndGet();
				}

			}));

	private final List<Charge> charges = List.of(Charge.of("slots", Policy.EVERYONE));

	private final AtomicInteger inside = new AtomicInteger();

	private final AtomicInteger most = new AtomicInteger();

	private final AtomicLong arrivals = new AtomicLong();

	private final AtomicLong served = new AtomicLong();

	/** The calls that many others overtook, at least while their threads did not run. */
	private final AtomicLong overtaken = new AtomicLong();

	@AfterEach
	void close() {
		this.limiter.close();
	}

	@Test
	void servesManyThreadsInTheirOrder() throws InterruptedException {
		List<Thread> threads = IntStream.range(0, THREADS)
			.mapToObj((thread) -> new Thread(() -> IntStream.range(0, CALLS).forEach((call) -> call())))
			.toList();
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(this.served).hasValue(THREADS * CALLS);
		assertThat(this.most).hasValueBetween(2, PERMITS);
		assertThat(this.overtaken).hasValueLessThan(THREADS * CALLS / 20);
		assertThatNothingIsLeft();
	}

	@Test
	void servesManyCallsWithoutThreads() {
		List<Reservation> holders = IntStream.range(0, PERMITS)
			.mapToObj((holder) -> this.limiter.reserve(this.charges))
			.toList();
		Set<String> threads = ConcurrentHashMap.newKeySet();
		List<CompletableFuture<?>> calls = new ArrayList<>();
		for (int call = 0; call < 5_000; call++) {
			calls.add(this.limiter.reserveAsync(this.charges).toCompletableFuture().thenAccept((reservation) -> {
				threads.add(Thread.currentThread().getName());
				enter(reservation);
				exit(reservation);
			}));
		}
		assertThat(this.waiting).hasValue(5_000);
		holders.forEach(this.limiter::release);
		calls.forEach(CompletableFuture::join);
		assertThat(this.served).hasValue(5_000);
		assertThat(threads).as("threads, none of them that of a call which released").containsOnly("ratelimit-delays");
		assertThatNothingIsLeft();
	}

	private void call() {
		long arrival = this.arrivals.incrementAndGet();
		Reservation reservation = this.limiter.reserve(this.charges);
		this.overtaken.addAndGet((this.served.get() - arrival > 2 * THREADS) ? 1 : 0);
		enter(reservation);
		LockSupport.parkNanos(200_000);
		exit(reservation);
	}

	private void enter(Reservation reservation) {
		assertThat(reservation.holdsPermits()).isTrue();
		this.most.accumulateAndGet(this.inside.incrementAndGet(), Math::max);
	}

	private void exit(Reservation reservation) {
		this.served.incrementAndGet();
		this.inside.decrementAndGet();
		this.limiter.release(reservation);
	}

	private void assertThatNothingIsLeft() {
		assertThat(this.limiter.peek(this.charges).limits().get(0).remaining()).isEqualTo(PERMITS);
		assertThat(this.waiting).hasValue(0);
	}

}
