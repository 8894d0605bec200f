package io.github.ratelimit.store.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The only caller of a memory store, with its own clock. It records its admissions.
 */
final class Caller {

	/** A whole number of every period that the tests use, so a window's edge. */
	static final long START = 1_806_624_000_000_000L;

	private final List<Admission> admissions = new ArrayList<>();

	private final List<Change> changes = new ArrayList<>();

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(10, this::now);

	private final long seed;

	private final Random random;

	private long now = START;

	private Limit limit;

	private long total;

	Caller(Limit limit) {
		this(limit, 0);
	}

	/** Creates a caller that acts at random. */
	Caller(Limit limit, long seed) {
		this.limit = limit;
		this.seed = seed;
		this.random = new Random(seed);
		change(limit);
	}

	/** An admission of permits of a limit at one time. */
	record Admission(long time, long cost, Limit limit) {

	}

	/** A change to a limit that applies from a time on. */
	record Change(long time, Limit limit) {

	}

	long now() {
		return this.now;
	}

	Limit limit() {
		return this.limit;
	}

	long total() {
		return this.total;
	}

	List<Admission> admissions() {
		return this.admissions;
	}

	List<Change> changes() {
		return this.changes;
	}

	void pause(long micros) {
		this.now += micros;
	}

	void pauseUntil(long time) {
		this.now = time;
	}

	void change(Limit next) {
		this.limit = next;
		this.changes.add(new Change(this.now, next));
	}

	LimitDecision call(long cost) {
		List<PermitRequest> call = PermitRequests.of("p", List.of(this.limit), "a", cost);
		LimitDecision decision = this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, call)).limits().get(0);
		if (decision.allowed() && cost > 0) {
			this.total += cost;
			this.admissions.add(new Admission(this.now, cost, this.limit));
		}
		return decision;
	}

	/** Calls so many times at once, and returns how many calls were admitted. */
	long calls(long count) {
		long before = this.total;
		for (long call = 0; call < count; call++) {
			call(1);
		}
		return this.total - before;
	}

	/**
	 * Takes all there is, and retries exactly at each Retry-After, to an end inclusive.
	 */
	void takeAllUntil(long end) {
		while (this.now <= end) {
			LimitDecision decision = call(1);
			if (decision.allowed() && decision.remaining() > 0) {
				call(decision.remaining());
			}
			else {
				this.now += decision.retryAfterMicros();
			}
		}
	}

	void actAtRandom() {
		long burst = this.limit.burst();
		switch (this.random.nextInt(5)) {
			case 0 -> calls(this.random.nextLong(2 * burst) + 1);
			case 1 -> call(this.random.nextLong(burst) + 1);
			case 2, 3 -> callTwice(this.random.nextLong(burst) + 1);
			default -> pauseAtRandom(this.limit.rate().periodMicros());
		}
	}

	/** Calls, and if denied once more exactly at its Retry-After. */
	private void callTwice(long cost) {
		LimitDecision decision = call(cost);
		if (!decision.allowed()) {
			this.now += decision.retryAfterMicros();
			assertThat(call(cost).allowed()).as("seed %d", this.seed).isTrue();
		}
	}

	/**
	 * Pauses, sometimes to just before a whole period, where windows have their edges.
	 */
	private void pauseAtRandom(long period) {
		this.now += switch (this.random.nextInt(4)) {
			case 0 -> this.random.nextLong(2 * period);
			case 1 -> Math.max(0, period - 1 - this.now % period);
			default -> this.random.nextLong(period / 5);
		};
	}

	/** Returns the most permits in any stretch of time, its end exclusive. */
	long mostIn(long micros) {
		long most = 0;
		long sum = 0;
		int first = 0;
		for (Admission last : this.admissions) {
			sum += last.cost();
			for (; this.admissions.get(first).time() <= last.time() - micros; first++) {
				sum -= this.admissions.get(first).cost();
			}
			most = Math.max(most, sum);
		}
		return most;
	}

}
