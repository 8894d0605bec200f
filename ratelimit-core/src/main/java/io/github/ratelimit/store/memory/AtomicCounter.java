package io.github.ratelimit.store.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.LongFormula;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.Count;
import io.github.ratelimit.store.PermitRequest;
import org.jspecify.annotations.Nullable;

/**
 * A counter in one number, which threads change without a lock until it is closed. The
 * unusual cases are left to the thread that closes it: a clock that has stepped back,
 * another limit, a call that charges nothing where nothing is spent, a state that does
 * not fit one number.
 */
final class AtomicCounter {

	private static final VarHandle NUMBER = handle("number");

	private static final VarHandle CHANGED_AT = handle("changedAt");

	private static final VarHandle BEGAN = handle("began");

	private static final long CLOSED = Long.MIN_VALUE;

	private final LongFormula formula;

	/** The time since which the number counts. */
	private final long origin;

	/**
	 * The time when the state began with nothing spent. It is rarely written: by calls
	 * that find nothing spent.
	 */
	private volatile long began;

	/**
	 * Padding. It keeps fields that calls write and fields that they only read on
	 * different cache lines, so that threads wait for each other once per call.
	 */
	@SuppressWarnings("unused")
	private long pad1, pad2, pad3, pad4;

	private volatile long number;

	/**
	 * The time of the last change. It is written after the number, so it may lag behind
	 * for a moment.
	 */
	private volatile long changedAt;

	private AtomicCounter(LongFormula formula, long origin, long number, long now, long began) {
		this.formula = formula;
		this.origin = origin;
		this.number = number;
		this.changedAt = now;
		this.began = began;
	}

	/**
	 * Creates a counter from a state that the limit has just changed, or returns
	 * {@code null} if it does not fit one number.
	 */
	static @Nullable AtomicCounter of(Limit limit, long[] state, long now) {
		LongFormula formula = limit.longFormula();
		if (formula == null) {
			return null;
		}
		long origin = formula.origin(now);
		long number = formula.pack(state, origin);
		return (number == LongFormula.UNFIT) ? null
				: new AtomicCounter(formula, origin, number, now, formula.began(state));
	}

	/**
	 * Acquires permits, or returns {@code null} if that takes the monitor. Reads the
	 * clock once more if another thread overtook.
	 */
	@Nullable Decision acquire(PermitRequest permit, LongSupplier clock) {
		if (!this.formula.equals(permit.limit().longFormula())) {
			return null;
		}
		long now = clock.getAsLong();
		while (true) {
			long known = this.number;
			long last = this.changedAt;
			now = (now < last) ? clock.getAsLong() : now;
			if (known == CLOSED || now < last) {
				return null;
			}
			long wait = this.formula.waitFor(known, now - this.origin, permit.required());
			if (wait > permit.maxWaitMicros() || permit.cost() == 0) {
				return isUnspent(known, now) ? null : decision(permit, now, wait, known);
			}
			long charged = this.formula.charge(known, now - this.origin, permit.cost(), wait);
			if (charged == LongFormula.UNFIT) {
				return null;
			}
			if (tryChange(known, charged, now)) {
				return decision(permit, now, wait, charged);
			}
		}
	}

	/** Returns whether a limit counts by these numbers. */
	boolean isOf(Limit limit) {
		return this.formula.equals(limit.longFormula());
	}

	/**
	 * Takes the number from all other threads. The monitor's owner, which takes it, has
	 * to put it back before it leaves.
	 */
	long take() {
		return (long) NUMBER.getAndSet(this, CLOSED);
	}

	/** Puts a number back, possibly changed. */
	void put(long taken, long number, long now) {
		if (number != taken) {
			changed(taken, now);
		}
		NUMBER.setRelease(this, number);
	}

	/** Returns how long a request has to wait by a number. */
	long waitFor(long number, PermitRequest permit, long now) {
		return this.formula.waitFor(number, time(now), permit.required());
	}

	/**
	 * Returns a number after a charge, or without one if it costs nothing;
	 * {@link LongFormula#UNFIT} if the state has to decide.
	 */
	long after(long number, long cost, long wait, long now) {
		if (now < this.changedAt || (cost == 0 && isUnspent(number, now))) {
			return LongFormula.UNFIT;
		}
		return (cost == 0) ? number : this.formula.charge(number, time(now), cost, wait);
	}

	/** Returns a time as the formula counts it. */
	long time(long now) {
		return now - this.origin;
	}

	/**
	 * Changes the number if no other thread did. Writes only what changes, and all but
	 * the number without a fence, which takes longer than the rest.
	 */
	private boolean tryChange(long known, long charged, long now) {
		if (!NUMBER.compareAndSet(this, known, charged)) {
			return false;
		}
		changed(known, now);
		return true;
	}

	private void changed(long before, long now) {
		if (isUnspent(before, now)) {
			BEGAN.setOpaque(this, now);
		}
		if (this.changedAt < now) {
			CHANGED_AT.setOpaque(this, now);
		}
	}

	private boolean isUnspent(long number, long now) {
		return this.formula.isUnspent(number, now - this.origin);
	}

	private Decision decision(PermitRequest permit, long now, long wait, long number) {
		return Decision.ofNumber(now, permit, wait, number, now - this.origin);
	}

	/**
	 * Closes the counter to all threads, and returns the count that it has become.
	 * @param limit the limit of which it was made
	 */
	Count close(Count.Memory memory, Limit limit) {
		long[] last = state((long) NUMBER.getAndSet(this, CLOSED));
		return Count.of(memory, limit, last, this.changedAt);
	}

	/** Returns the current state. */
	long[] state() {
		return state(this.number);
	}

	/** Returns when nothing will be spent, if nothing more is charged. */
	long resetAt() {
		long at = this.changedAt;
		return at + this.formula.resetAfter(this.number, at - this.origin);
	}

	private long[] state(long number) {
		return this.formula.unpack(number, this.origin, this.changedAt, this.began);
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
