package io.github.ratelimit.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Gcra;
import org.jspecify.annotations.Nullable;

/**
 * What is spent of a token bucket, in one number that threads change without a lock,
 * until it is closed. Whatever is out of the ordinary is left to those who close it: a
 * clock that has stepped back, another limit, a call that charges nothing of a full
 * bucket.
 */
final class AtomicBucket {

	private static final VarHandle ARRIVAL = handle("arrival");

	private static final VarHandle CHANGED_AT = handle("changedAt");

	private static final VarHandle BEGAN = handle("began");

	private static final long CLOSED = Long.MIN_VALUE;

	private final Gcra gcra;

	/** Rarely written: by calls that find the bucket full. */
	private volatile long began;

	/**
	 * Keep what calls write and what they only read on cache lines of their own, so that
	 * threads wait for each other once a call.
	 */
	@SuppressWarnings("unused")
	private long pad1, pad2, pad3, pad4;

	private volatile long arrival;

	/** Told after the number was changed, so it may lag behind for a moment. */
	private volatile long changedAt;

	/**
	 * A bucket that goes on from what is spent.
	 * @param began when its state began with nothing spent
	 */
	AtomicBucket(Gcra gcra, long spent, long now, long began) {
		this.gcra = gcra;
		this.began = began;
		this.arrival = gcra.arrival(spent, now);
		this.changedAt = now;
	}

	/**
	 * The decision, or nothing where it takes the monitor. The clock is read once more
	 * where another thread overtook.
	 */
	@Nullable Decision acquire(Debit debit, LongSupplier clock) {
		if (!this.gcra.equals(debit.clause().limit().gcra())) {
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
			long wait = this.gcra.waitFor(spent, now, debit.asked());
			if (wait > debit.patience() || debit.cost() == 0) {
				return (spent == 0) ? null : decision(debit, now, wait, spent);
			}
			long charged = this.gcra.charge(spent, debit.cost());
			if (ARRIVAL.compareAndSet(this, known, this.gcra.arrival(charged, now))) {
				changed(now, spent);
				return decision(debit, now, wait, charged);
			}
		}
	}

	/** Not written where it stays, nor at once: a fence takes longer than the rest. */
	private void changed(long now, long spentBefore) {
		if (spentBefore == 0) {
			BEGAN.setOpaque(this, now);
		}
		if (this.changedAt < now) {
			CHANGED_AT.setOpaque(this, now);
		}
	}

	private Decision decision(Debit debit, long now, long wait, long spent) {
		return debit.decisionAlone(now, wait, this.gcra.remaining(spent), this.gcra.resetAfter(spent, now));
	}

	/** Keeps threads from changing it, and answers what it had come to. */
	long[] close() {
		return state((long) ARRIVAL.getAndSet(this, CLOSED));
	}

	/** What it has come to so far. */
	long[] state() {
		return state(this.arrival);
	}

	/** When it last changed. */
	long changedAt() {
		return this.changedAt;
	}

	/** When nothing will be spent, if nothing more is charged. */
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
			return MethodHandles.lookup().findVarHandle(AtomicBucket.class, field, long.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new LinkageError("no field " + field, ex);
		}
	}

}
