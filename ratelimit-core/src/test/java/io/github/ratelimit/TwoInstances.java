package io.github.ratelimit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.jspecify.annotations.Nullable;

/**
 * Two instances on one store, for tests of calls that wait for permits. Time passes only
 * when a test advances it.
 */
final class TwoInstances implements AutoCloseable {

	static final long SECOND = 1_000_000;

	static final PolicyOptions WAITS = PolicyOptions.STANDARD.withMaxWait(Duration.ofSeconds(2));

	private static final long NOW = 1_790_000_000_000_000L;

	final ManualTime time = new ManualTime();

	final TestStore store = new TestStore(() -> NOW + this.time.nanoTime() / 1000);

	final RecordingListener listener = new RecordingListener();

	final Policies policies = new Policies(List.of(policy("slots", "1 concurrent"),
			policy("mixed", "2/1m", "1 concurrent"), policy("smooth", "1/1s leaky-bucket", "1 concurrent"),
			policy("everyone", "2 concurrent"), policy("user", "1 concurrent"),
			new Policy("impatient", List.of(limit("1 concurrent")), List.of(Policy.EVERYONE)),
			policy("few", "1 concurrent").withOptions(WAITS.withMaxWaiting(1)),
			policy("strict", "1 concurrent").withOptions(WAITS.withStoreFailure(OnStoreFailure.DENY, 100))));

	final RateLimiter limiter = limiter(this.listener);

	/** Another instance, which shares the store and nothing else. */
	final RateLimiter other = limiter(new RateLimitListener() {
	});

	@Override
	public void close() {
		this.limiter.close();
		this.other.close();
	}

	/** Lets a time pass in which the first call tries, and returns how often it did. */
	int triesWithin(long micros) {
		int before = this.store.requests(StoreOperation.ACQUIRE).size();
		for (long passed = 0; passed < micros; passed += 1_000) {
			this.time.advance(1_000);
			this.time.awaitPending(2);
		}
		return this.store.requests(StoreOperation.ACQUIRE).size() - before;
	}

	/**
	 * Lets time pass, timer by timer, until the calls that wait are over, and returns how
	 * long that took, in microseconds. Time stands still while their threads run.
	 */
	long passUntilDone(FutureTask<?>... calls) {
		long start = this.time.nanoTime();
		int pending = this.time.pending();
		while (!areDone(calls)) {
			this.time.advanceToNextTimer();
			ManualTime.await(() -> this.time.pending() == pending || areDone(calls));
		}
		return (this.time.nanoTime() - start) / 1000;
	}

	private static boolean areDone(FutureTask<?>... calls) {
		return List.of(calls).stream().allMatch(FutureTask::isDone);
	}

	FutureTask<Reservation> onThread(String policy) {
		FutureTask<Reservation> call = new FutureTask<>(() -> this.limiter.reserve(charge(policy)));
		new Thread(call).start();
		return call;
	}

	static FutureTask<Reservation> withoutThread(RateLimiter limiter, String policy) {
		CompletableFuture<Reservation> pending = limiter.reserveAsync(charge(policy)).toCompletableFuture();
		FutureTask<Reservation> call = new FutureTask<>(() -> {
			try {
				return pending.join();
			}
			catch (CompletionException ex) {
				throw new IllegalStateException(ex.getCause());
			}
		});
		CompletableFuture<?> unused = pending.whenComplete((result, failure) -> call.run());
		return call;
	}

	List<Long> remaining(String policy) {
		return this.limiter.peek(List.of(new Charge(policy, Policy.EVERYONE, 0)))
			.limits()
			.stream()
			.map(LimitDecision::remaining)
			.toList();
	}

	static List<Charge> charge(String policy) {
		return List.of(Charge.of(policy, Policy.EVERYONE));
	}

	static List<Charge> both(String user) {
		return List.of(Charge.of("everyone", Policy.EVERYONE), Charge.of("user", user));
	}

	RateLimiter limiter(RateLimitListener listener) {
		StoreFallback fallback = new StoreFallback(this.policies, this.store,
				new MemoryRateLimitStore(1000, () -> NOW + this.time.nanoTime() / 1000));
		return new RateLimiter(this.policies,
				new DecisionEngine(this.policies, this.store, fallback, List.of(listener), LimitOverrides.NONE),
				new QueuedTurns(this.policies, listener, this.time));
	}

	static Policy policy(String name, String... limits) {
		return new Policy(name, List.of(limits).stream().map(TwoInstances::limit).toList(), List.of(Policy.EVERYONE))
			.withOptions(WAITS);
	}

	static Limit limit(String text) {
		return Limit.parse(text, Algorithm.TOKEN_BUCKET);
	}

	static final class RecordingListener implements RateLimitListener {

		final List<String> events = new CopyOnWriteArrayList<>();

		final List<Decision> decisions = new CopyOnWriteArrayList<>();

		volatile int waiting;

		volatile int abandoned;

		volatile int failures;

		volatile long elapsedNanos;

		@Override
		public synchronized void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
			this.decisions.add(decision);
			this.events.add(decision.allowed() ? "allowed" : "denied");
			this.elapsedNanos = elapsedNanos;
		}

		@Override
		public synchronized void failed(List<Charge> charges, RateLimitStoreException failure,
				@Nullable Decision instead, long elapsedNanos) {
			this.failures++;
		}

		@Override
		public synchronized void abandoned(List<Charge> charges, Throwable cause) {
			this.abandoned++;
		}

		@Override
		public synchronized void waiting(List<String> policies) {
			this.waiting++;
			this.events.add("waiting " + policies);
		}

		@Override
		public synchronized void waited(List<String> policies) {
			this.waiting--;
			this.events.add("waited " + policies);
		}

	}

}
