package io.github.ratelimit.store.shared;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.BreakerState;

/**
 * The circuit breaker of a store, or of one of its servers. It opens after five failures
 * in a row, or more than ten among the last twenty outcomes. From then on one run passes
 * as a probe every 200 to 1000 ms, and the first probe that succeeds closes it. While
 * nothing has failed lately, a run costs two reads. Thread-safe.
 */
public final class CircuitBreaker {

	/** The bits of the outcomes in the window. */
	private static final int WINDOW = (1 << 20) - 1;

	/** The number of outcomes that open the breaker if all failed, and their bits. */
	private static final int NEWEST_BITS = 5;

	private static final int NEWEST = (1 << NEWEST_BITS) - 1;

	private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(200);

	private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(1000);

	/** The time that a server fails before its connection is suspected. */
	private static final long SUSPICIOUS = TimeUnit.SECONDS.toNanos(2);

	private final LongSupplier nanoClock;

	/** The last outcomes, a bit each, the newest lowest, set for a failure. */
	private final AtomicInteger outcomes = new AtomicInteger();

	private final AtomicLong nextProbe = new AtomicLong();

	private final AtomicLong nextSuspicion = new AtomicLong();

	private volatile BreakerState state = BreakerState.CLOSED;

	/**
	 * Creates a closed breaker.
	 * @param nanoClock a clock like {@link System#nanoTime}
	 */
	public CircuitBreaker(LongSupplier nanoClock) {
		this.nanoClock = nanoClock;
	}

	/**
	 * Returns the state.
	 * @return the state
	 */
	public BreakerState state() {
		return this.state;
	}

	/**
	 * Returns whether and how a run may pass. The outcome of a run that passed must
	 * follow, by {@link #onSuccess} or {@link #onFailure}.
	 * @param alone whether the run decides one request only, and so may be a probe
	 * @return the pass
	 */
	public Pass tryPass(boolean alone) {
		if (this.state == BreakerState.CLOSED) {
			return Pass.RUN;
		}
		long now = this.nanoClock.getAsLong();
		long due = this.nextProbe.get();
		if (!alone || now - due < 0 || !this.nextProbe.compareAndSet(due, now + pause())) {
			return Pass.NONE;
		}
		this.state = BreakerState.HALF_OPEN;
		return Pass.PROBE;
	}

	/**
	 * Returns whether a run that decides one request only may pass now.
	 * @return whether it would get a pass
	 */
	public boolean mayPass() {
		return this.state == BreakerState.CLOSED || this.nanoClock.getAsLong() - this.nextProbe.get() >= 0;
	}

	/**
	 * Returns true once the breaker has been open for two seconds, and then every two
	 * seconds: the connection may be dead without having been closed.
	 * @return whether to replace the connection
	 */
	public boolean trySuspectConnection() {
		long now = this.nanoClock.getAsLong();
		long due = this.nextSuspicion.get();
		return now - due >= 0 && this.nextSuspicion.compareAndSet(due, now + SUSPICIOUS);
	}

	/**
	 * Records the success of a run.
	 * @param pass its pass
	 */
	public void onSuccess(Pass pass) {
		if (pass == Pass.PROBE) {
			close();
		}
		else if (this.outcomes.get() != 0) {
			this.outcomes.updateAndGet((bits) -> (bits << 1) & WINDOW);
		}
	}

	/**
	 * Clears all failures, as a server that replies after the timeout lives. The breaker
	 * stays open, as the server may be too slow, but the next run may probe.
	 */
	public void onLateReply() {
		this.outcomes.set(0);
		if (this.state != BreakerState.CLOSED) {
			this.nextProbe.set(this.nanoClock.getAsLong());
		}
	}

	/**
	 * Records the failure of a run.
	 * @param pass its pass
	 * @param requests the number of requests in it, each of which failed
	 */
	public void onFailure(Pass pass, int requests) {
		int count = Math.min(requests, NEWEST_BITS);
		int failures = NEWEST >> (NEWEST_BITS - count);
		if (pass == Pass.PROBE) {
			probeFailed();
		}
		else if (isTooMany(this.outcomes.updateAndGet((bits) -> ((bits << count) | failures) & WINDOW))) {
			open();
		}
	}

	private synchronized void close() {
		this.outcomes.set(0);
		this.state = BreakerState.CLOSED;
	}

	/** Opens the breaker again, unless a later probe has closed it. */
	private synchronized void probeFailed() {
		this.state = (this.state == BreakerState.CLOSED) ? BreakerState.CLOSED : BreakerState.OPEN;
	}

	private synchronized void open() {
		if (this.state == BreakerState.CLOSED) {
			long now = this.nanoClock.getAsLong();
			this.nextProbe.set(now + pause());
			this.nextSuspicion.set(now + SUSPICIOUS);
			this.state = BreakerState.OPEN;
		}
	}

	private static boolean isTooMany(int failures) {
		return (failures & NEWEST) == NEWEST || Integer.bitCount(failures) > 10;
	}

	private static long pause() {
		return ThreadLocalRandom.current().nextLong(SHORTEST_PAUSE, LONGEST_PAUSE + 1);
	}

	/** The ways for a run to pass. */
	public enum Pass {

		/** No pass, as the breaker is open. */
		NONE,

		/** An ordinary run on a server that replies. */
		RUN,

		/** A probe of a server that failed. */
		PROBE

	}

}
