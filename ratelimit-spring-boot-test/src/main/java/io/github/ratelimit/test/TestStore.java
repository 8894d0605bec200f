package io.github.ratelimit.test;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.DetachedReservations;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

/**
 * A memory store on the clock of a test. A call that has to wait for its turn moves the
 * clock on to it instead. Thread-safe.
 */
class TestStore implements RateLimitStore {

	private final TestClock clock;

	private volatile MemoryRateLimitStore counts;

	private volatile boolean limited = true;

	TestStore(TestClock clock) {
		this.clock = clock;
		this.counts = new MemoryRateLimitStore(MemoryRateLimitStore.STANDARD_KEYS, clock::micros);
	}

	@Override
	public String name() {
		return MemoryRateLimitStore.NAME;
	}

	@Override
	public Decision execute(StoreRequest request) {
		if (!this.limited) {
			return Decision.UNLIMITED;
		}
		Decision decision = this.counts.execute(request);
		if (request.operation() == StoreOperation.ACQUIRE) {
			this.clock.advanceTo(decision.storeTimeMicros() + decision.waitMicros());
		}
		return decision;
	}

	@Override
	public DetachedReservations detachedReservations() {
		return this.counts.detachedReservations();
	}

	@Override
	public boolean waitsInRealTime() {
		return false;
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		return CompletableFuture.completedFuture(execute(request));
	}

	/**
	 * Returns a view of the counts that is never off. Its calls take their turns without
	 * waiting for them, so that they fill the queue of a policy.
	 */
	RateLimitStore queue() {
		return new TestStore(this.clock) {

			@Override
			public Decision execute(StoreRequest request) {
				return TestStore.this.counts.execute(request);
			}

		};
	}

	TestClock clock() {
		return this.clock;
	}

	/** Forgets all counts, and moves the clock back to its start. */
	void reset() {
		this.clock.reset();
		this.counts = new MemoryRateLimitStore(MemoryRateLimitStore.STANDARD_KEYS, this.clock::micros);
	}

	/** Turns the limits on or off. */
	void limit(boolean limited) {
		this.limited = limited;
	}

}
