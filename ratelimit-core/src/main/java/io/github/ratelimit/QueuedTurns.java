package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.concurrency.WaitingCalls;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.store.Delays;
import io.github.ratelimit.store.RateLimitStore;

/**
 * The turns that admitted calls wait for, and the waits of calls for permits that others
 * hold. A policy bounds how many threads wait at once. Calls that wait without a thread
 * are bounded only by the longest wait. Thread-safe.
 */
final class QueuedTurns implements WaitingCalls {

	private final Policies policies;

	private final RateLimitListener listener;

	private final Sleeper sleeper;

	/** The number of waiting threads by policy. */
	private final ConcurrentMap<String, AtomicInteger> threads = new ConcurrentHashMap<>();

	QueuedTurns(Policies policies, RateLimitListener listener, Sleeper sleeper) {
		this.policies = policies;
		this.listener = listener;
		this.sleeper = sleeper;
	}

	/**
	 * Returns charges that may wait, to wait only for policies that admit another waiting
	 * thread.
	 */
	ResolvedCharges bounded(ResolvedCharges charges) {
		return charges.withoutWaitingFor(this::isFull);
	}

	private boolean isFull(String policy) {
		return threads(policy).get() >= bound(policy);
	}

	/**
	 * Counts this thread as waiting, unless there are too many. {@link #await} has to
	 * follow, and ends the count.
	 */
	boolean tryEnter(Decision decision) {
		List<String> policies = policies(decision);
		for (int i = 0; i < policies.size(); i++) {
			if (!tryEnter(policies.get(i))) {
				leave(policies.subList(0, i));
				return false;
			}
		}
		return true;
	}

	private boolean tryEnter(String policy) {
		int bound = bound(policy);
		return threads(policy).getAndUpdate((count) -> (count < bound) ? count + 1 : count) < bound;
	}

	private void leave(List<String> policies) {
		for (String policy : policies) {
			threads(policy).decrementAndGet();
		}
	}

	/** Blocks this thread, which has entered, until the turn of its call. */
	void await(Decision decision) throws InterruptedException {
		List<String> policies = policies(decision);
		this.listener.waiting(policies);
		try {
			this.sleeper.sleep(decision.waitMicros());
		}
		finally {
			leave(policies);
			this.listener.waited(policies);
		}
	}

	/** Completes at the turn of a call, unless it is cancelled before. */
	CompletableFuture<Void> awaitAsync(Decision decision) {
		List<String> policies = policies(decision);
		CompletableFuture<Void> turn = this.sleeper.delay(decision.waitMicros());
		this.listener.waiting(policies);
		CompletableFuture<?> unused = turn.whenComplete((nothing, failure) -> this.listener.waited(policies));
		return turn;
	}

	@Override
	public boolean tryEnter(String policy, boolean onThread) {
		boolean entered = !onThread || tryEnter(policy);
		if (entered) {
			this.listener.waiting(List.of(policy));
		}
		return entered;
	}

	@Override
	public void leave(String policy, boolean onThread) {
		if (onThread) {
			leave(List.of(policy));
		}
		this.listener.waited(List.of(policy));
	}

	@Override
	public void endAfter(CompletableFuture<Void> pause, long micros) {
		this.sleeper.complete(pause, micros);
	}

	@Override
	public long nanoTime() {
		return this.sleeper.nanoTime();
	}

	private AtomicInteger threads(String policy) {
		return this.threads.computeIfAbsent(policy, (unknown) -> new AtomicInteger());
	}

	private int bound(String policy) {
		return this.policies.get(policy).options().maxWaiting();
	}

	/** Returns the policies that make a call wait. */
	private static List<String> policies(Decision decision) {
		return decision.limits()
			.stream()
			.filter((limit) -> limit.waitMicros() > 0)
			.map(LimitDecision::policy)
			.distinct()
			.toList();
	}

	/** Lets time pass for a call that waits for its turn. */
	interface Sleeper {

		/** The sleeper on the process's own clock. */
		Sleeper REAL = new Sleeper() {

			@Override
			public void sleep(long micros) throws InterruptedException {
				TimeUnit.MICROSECONDS.sleep(micros);
			}

			@Override
			public void complete(CompletableFuture<Void> pause, long micros) {
				Delays.complete(pause, micros, TimeUnit.MICROSECONDS);
			}

		};

		/** The sleeper of a store whose clock is at the turn of each call. */
		Sleeper AT_TURNS = new Sleeper() {

			@Override
			public void sleep(long micros) {
			}

			@Override
			public void complete(CompletableFuture<Void> pause, long micros) {
				REAL.complete(pause, micros);
			}

			@Override
			public CompletableFuture<Void> delay(long micros) {
				return CompletableFuture.completedFuture(null);
			}

		};

		static Sleeper of(RateLimitStore store) {
			return store.waitsInRealTime() ? REAL : AT_TURNS;
		}

		/** Blocks the calling thread. */
		void sleep(long micros) throws InterruptedException;

		/**
		 * Completes a pause later, on a thread that must not be blocked. The timer is
		 * freed when the pause ends before.
		 */
		void complete(CompletableFuture<Void> pause, long micros);

		/** Starts a pause that ends later. Cancelling it frees the timer. */
		default CompletableFuture<Void> delay(long micros) {
			CompletableFuture<Void> pause = new CompletableFuture<>();
			complete(pause, micros);
			return pause;
		}

		/** Returns the time by a monotonic clock, in nanoseconds. */
		default long nanoTime() {
			return System.nanoTime();
		}

	}

}
