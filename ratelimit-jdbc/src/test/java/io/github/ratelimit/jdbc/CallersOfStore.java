package io.github.ratelimit.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;

/**
 * Threads that call a store all the time, half of them for one hot key, and what they
 * see.
 */
final class CallersOfStore implements AutoCloseable {

	static final String HOT = "hot";

	private static final PolicyLimit LIMIT = new PolicyLimit("calls", "calls", 0, Limit.parse("1000000000/1h"), 0);

	private final List<Thread> threads = new ArrayList<>();

	private final AtomicLong longest = new AtomicLong();

	/** The longest time, in nanoseconds, by which a thread of the test woke late. */
	private final AtomicLong lateness = new AtomicLong();

	private final AtomicLong admitted = new AtomicLong();

	private final Map<Kind, AtomicLong> failures = new ConcurrentHashMap<>();

	private final RateLimitStore store;

	private volatile boolean running = true;

	private CallersOfStore(RateLimitStore store) {
		this.store = store;
	}

	static CallersOfStore start(RateLimitStore store, int count) {
		CallersOfStore callers = new CallersOfStore(store);
		callers.start("lateness", callers::measureLateness);
		for (int i = 0; i < count; i++) {
			String key = (i % 2 == 0) ? HOT : "cold-" + i;
			callers.start("caller-" + i, () -> callers.call(key));
		}
		return callers;
	}

	private void start(String name, Runnable work) {
		Thread thread = new Thread(work, name);
		this.threads.add(thread);
		thread.start();
	}

	private void measureLateness() {
		long pause = Duration.ofMillis(5).toNanos();
		while (this.running) {
			long begin = System.nanoTime();
			LockSupport.parkNanos(pause);
			this.lateness.accumulateAndGet(System.nanoTime() - begin - pause, Math::max);
		}
	}

	static StoreRequest request(String key) {
		return StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMIT, key, 1, 0));
	}

	private void call(String key) {
		StoreRequest request = request(key);
		while (this.running) {
			long begin = System.nanoTime();
			try {
				this.store.execute(request);
				this.admitted.incrementAndGet();
			}
			catch (RateLimitStoreException ex) {
				this.failures.computeIfAbsent(ex.getKind(), (missing) -> new AtomicLong()).incrementAndGet();
			}
			this.longest.accumulateAndGet(System.nanoTime() - begin, Math::max);
			LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
		}
	}

	/** Returns the longest call since the last invocation. */
	Duration longestCall() {
		return Duration.ofNanos(this.longest.getAndSet(0));
	}

	/** Returns how late the machine woke a thread since the last invocation. */
	Duration lateness() {
		return Duration.ofNanos(this.lateness.getAndSet(0));
	}

	long admitted() {
		return this.admitted.get();
	}

	Map<Kind, AtomicLong> failures() {
		return this.failures;
	}

	@Override
	public void close() {
		this.running = false;
		for (Thread thread : this.threads) {
			try {
				thread.join();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
