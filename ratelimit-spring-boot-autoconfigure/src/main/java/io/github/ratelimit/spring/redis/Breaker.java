package io.github.ratelimit.spring.redis;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.BreakerState;

/**
 * Tells whether a Redis server is worth asking. Five failures in a row, or more than half
 * of the last twenty, open it; from then on one call in 200 to 1000 ms may pass as a
 * probe, and the first that succeeds closes it. A call that passes while nothing failed
 * of late costs two reads.
 */
final class Breaker {

	/** Bits of the outcomes that are remembered. */
	private static final int WINDOW = (1 << 20) - 1;

	/** How many outcomes are the newest, and the bits of these. */
	private static final int NEWEST_BITS = 5;

	private static final int NEWEST = (1 << NEWEST_BITS) - 1;

	private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(200);

	private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(1000);

	/** How long a server may fail until its connection is suspected. */
	private static final long SUSPICIOUS = TimeUnit.SECONDS.toNanos(2);

	private final LongSupplier nanoClock;

	/** A bit for each of the last outcomes, the newest lowest, set where it failed. */
	private final AtomicInteger outcomes = new AtomicInteger();

	private final AtomicLong nextProbe = new AtomicLong();

	private final AtomicLong nextSuspicion = new AtomicLong();

	private volatile BreakerState state = BreakerState.CLOSED;

	Breaker(LongSupplier nanoClock) {
		this.nanoClock = nanoClock;
	}

	BreakerState state() {
		return this.state;
	}

	/**
	 * Whether a call may pass, and how. Its outcome must be told.
	 * @param alone whether no other call waits for this one's outcome, so that it may be
	 * a probe
	 */
	Pass ask(boolean alone) {
		if (this.state == BreakerState.CLOSED) {
			return Pass.CALL;
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
	 * Whether it has been open for so long that the connection may be dead though nobody
	 * closed it; true once in two seconds.
	 */
	boolean suspectsConnection() {
		long now = this.nanoClock.getAsLong();
		long due = this.nextSuspicion.get();
		return now - due >= 0 && this.nextSuspicion.compareAndSet(due, now + SUSPICIOUS);
	}

	void succeeded(Pass pass) {
		if (pass == Pass.PROBE) {
			this.outcomes.set(0);
			this.state = BreakerState.CLOSED;
		}
		else if (this.outcomes.get() != 0) {
			this.outcomes.updateAndGet((bits) -> (bits << 1) & WINDOW);
		}
	}

	/**
	 * Forgets failures, as a server that answers after the timeout lives. This does not
	 * close the breaker, as the server may be too slow to be asked, but the next call may
	 * find out.
	 */
	void answersTooLate() {
		this.outcomes.set(0);
		if (this.state != BreakerState.CLOSED) {
			this.nextProbe.set(this.nanoClock.getAsLong());
		}
	}

	/**
	 * Tells of calls that failed together.
	 */
	void failed(Pass pass, int calls) {
		int count = Math.min(calls, NEWEST_BITS);
		int failures = NEWEST >> (NEWEST_BITS - count);
		if (pass == Pass.PROBE) {
			this.state = BreakerState.OPEN;
		}
		else if (isTooMany(this.outcomes.updateAndGet((bits) -> ((bits << count) | failures) & WINDOW))) {
			open();
		}
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

	/**
	 * How a call passes.
	 */
	enum Pass {

		/** Not at all. */
		NONE,

		/** As any call of a server that answers. */
		CALL,

		/** To find out whether the server answers again. */
		PROBE

	}

}
