package io.github.ratelimit.store.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

import io.github.ratelimit.algorithm.Gcra;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.PermitRequest;
import org.jspecify.annotations.Nullable;

/**
 * A counter of a token bucket in one number, which threads change without a lock until it
 * is closed. The unusual cases are left to the thread that closes it: a clock that has
 * stepped back, another limit, a call that charges nothing of a full bucket.
 */
final class AtomicCounter {

	private static final VarHandle ARRIVAL = handle("arrival");

	private static final VarHandle CHANGED_AT = handle("changedAt");

	private static final VarHandle BEGAN = handle("began");

	private static final long CLOSED = Long.MIN_VALUE;

	private final Gcra gcra;

	/**
	 * The time when the state began with nothing spent. It is rarely written: by calls
	 * that find the bucket full.
	 */
	private volatile long began;

	/**
	 * Padding. It keeps fields that calls write and fields that they only read on
	 * different cache lines, so that threads wait for each other once per call.
	 */
	@SuppressWarnings("unused")
	private long pad1, pad2, pad3, pad4;

	private volatile long arrival;

	/**
	 * The time of the last change. It is written after the number, so it may lag behind
	 * for a moment.
	 */
	private volatile long changedAt;

	/**
	 * Creates a counter from what is spent.
	 * @param began when its state began with nothing spent
	 */
	AtomicCounter(Gcra gcra, long spent, long now, long began) {
		this.gcra = gcra;
		this.began = began;
		this.arrival = gcra.arrival(spent, now);
		this.changedAt = now;
	}

	/**
	 * Acquires permits, or returns {@code null} if that takes the monitor. Reads the
	 * clock once more if another thread overtook.
	 */
	@Nullable Decision acquire(PermitRequest permit, LongSupplier clock) {
		if (!this.gcra.equals(permit.limit().gcra())) {
			return null;
		}
		long now = clock.getAsLong();
		while (true) {
			long known = this.arrival;
			long last = this.changedAt;
			now = (now < last) ? clock.getAsLong() : now;
			if (known == CLOSED || now < last) {
				return null;
			}
			long spent = this.gcra.spent(known, now);
			long wait = this.gcra.waitFor(spent, now, permit.required());
			if (wait > permit.maxWaitMicros() || permit.cost() == 0) {
				return (spent == 0) ? null : decision(permit, now, wait, spent);
			}
			long charged = this.gcra.charge(spent, permit.cost());
			if (ARRIVAL.compareAndSet(this, known, this.gcra.arrival(charged, now))) {
				changed(now, spent);
				return decision(permit, now, wait, charged);
			}
		}
	}

	/**
	 * Writes only what changes, and without a fence, which takes longer than the rest.
	 */
	private void changed(long now, long spentBefore) {
		if (spentBefore == 0) {
			BEGAN.setOpaque(this, now);
		}
		if (this.changedAt < now) {
			CHANGED_AT.setOpaque(this, now);
		}
	}

	private Decision decision(PermitRequest permit, long now, long wait, long spent) {
		return Decision.of(now, permit, wait, this.gcra.remaining(spent), this.gcra.resetAfter(spent, now));
	}

	/** Closes the counter to all threads, and returns its last state. */
	long[] close() {
		return state((long) ARRIVAL.getAndSet(this, CLOSED));
	}

	/** Returns the current state. */
	long[] state() {
		return state(this.arrival);
	}

	/** Returns the time of the last change. */
	long changedAt() {
		return this.changedAt;
	}

	/** Returns when nothing will be spent, if nothing more is charged. */
	long resetAt() {
		long at = this.changedAt;
		return at + this.gcra.resetAfter(this.gcra.spent(this.arrival, at), at);
	}

	private long[] state(long arrival) {
		long at = this.changedAt;
		return this.gcra.state(this.gcra.spent(arrival, at), at, this.began);
	}

	private static VarHandle handle(String field) {
		try {
			return MethodHandles.lookup().findVarHandle(AtomicCounter.class, field, long.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new LinkageError("no field " + field, ex);
		}
	}

}
