package io.github.ratelimit.store.memory;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.ratelimit.algorithm.Formula;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.LongFormula;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.PermitRequest;
import org.jspecify.annotations.Nullable;

/**
 * A counter of one limit for one key. Guarded by its own monitor; the monitors of several
 * counters are taken in the order of {@link #order}.
 */
@SuppressWarnings("ReferenceEquality") // as it only spares work where nothing has changed
final class Counter {

	/** A time before any clock. */
	private static final long NEVER = Long.MIN_VALUE;

	private static final long[] NONE = {};

	private static final long GRACE = TimeUnit.SECONDS.toMicros(1);

	final long order;

	private final Map<String, Counter> home;

	private final String key;

	private final StateMemory memory;

	private long[] state = NONE;

	/** The numbers of the state that count against the memory; 0 until it has grown. */
	private int grownLength;

	/** The limit that wrote the state, if any did. */
	private @Nullable Limit limit;

	/** The time when the state expires by that limit, by the counter's own time. */
	private long resetAt;

	/** The state as the limit of the present call reads it. */
	private long[] seen = NONE;

	/** The flag for a state written by another rule than the present limit's. */
	private boolean foreign;

	/** The time until the state expires, for the present call. */
	private long reset;

	/** The counter's own time of the last change. */
	private long changedAt = NEVER;

	/** The lead of the counter's own time over a clock that has stepped back. */
	private long ahead;

	private boolean retired;

	/** The replacement of the state while threads count without the monitor. */
	private volatile @Nullable AtomicCounter lockFree;

	/**
	 * Creates a counter for a coming call, which must find it before it may be dropped.
	 * @param home the map in which calls find it, by the key
	 * @param memory bounds the memory of states
	 */
	Counter(Map<String, Counter> home, StateMemory memory, String key, long order, long now) {
		this.home = home;
		this.memory = memory;
		this.key = key;
		this.order = order;
		this.resetAt = now + GRACE;
	}

	/** Removes a dropped counter from its map. */
	void leave() {
		this.home.remove(this.key, this);
		release();
	}

	/** Acquires permits without the monitor; {@code null} if it is required. */
	@Nullable Decision acquire(PermitRequest permit, LongSupplier clock) {
		AtomicCounter open = this.lockFree;
		return (open != null) ? open.acquire(permit, clock) : null;
	}

	/**
	 * Lets threads count without the monitor, if one number represents the state and the
	 * limit has just changed it.
	 */
	void exit(Limit limit, long now) {
		LongFormula formula = limit.longFormula();
		boolean changed = this.ahead == 0 && this.changedAt == now && this.limit == limit;
		AtomicCounter open = (changed && formula != null) ? AtomicCounter.of(formula, this.state, now) : null;
		if (open != null) {
			this.lockFree = open;
			this.state = NONE;
			this.seen = NONE;
		}
	}

	/** Returns the counter for threads without the monitor; {@code null} for none. */
	@Nullable AtomicCounter atomic() {
		return this.lockFree;
	}

	/** Ends counting without the monitor, under the monitor. */
	void close() {
		AtomicCounter open = this.lockFree;
		Limit known = this.limit;
		if (open != null && known != null) {
			this.lockFree = null;
			this.state = open.close();
			changed(known.formula(), open.changedAt());
		}
	}

	/**
	 * Takes over the count, under the monitor. Fails if the counter was dropped from the
	 * map, so that charges to it would be lost.
	 */
	boolean tryEnter() {
		close();
		return !this.retired;
	}

	/** Returns whether the counter was dropped, under the monitor. */
	boolean isRetired() {
		return this.retired;
	}

	/**
	 * Drops this counter if its state has expired, so that nothing is lost.
	 * @param kept for how long it is kept after that, unless its state has grown
	 */
	synchronized boolean tryRetire(long now, long kept) {
		long latest = now + this.ahead - ((this.grownLength == 0) ? kept : 0);
		boolean expired = !this.retired && resetAt() <= latest;
		if (expired) {
			close();
			this.retired = this.resetAt <= latest;
		}
		return expired && this.retired;
	}

	/** Drops this counter even if live, if less is spent than a part of the burst. */
	synchronized boolean tryRetireBelow(double part) {
		if (spentPart() < part) {
			close();
			this.retired = this.retired || spentPart() < part;
		}
		return this.retired;
	}

	/**
	 * Returns the part of the burst that was spent at the last change; 1 before the first
	 * call, or if calls may hold permits. It is not brought up to date, as that may take
	 * long.
	 */
	synchronized double spentPart() {
		AtomicCounter open = this.lockFree;
		long[] known = (open != null) ? open.state() : this.state;
		return (this.limit == null || this.limit.isConcurrency()) ? 1
				: (double) Formula.permitsSpent(known) / this.limit.burst();
	}

	private long resetAt() {
		AtomicCounter open = this.lockFree;
		return (open != null) ? open.resetAt() : this.resetAt;
	}

	/** Returns whether the state was changed later than a time of the clock. */
	boolean isAheadOf(long clock) {
		return this.changedAt > clock + this.ahead;
	}

	/**
	 * Reads the state for a limit and returns the time to count by, which never steps
	 * back: spent permits stay spent, and time counts on from there. A state of another
	 * limit stays as it is until this one charges, or the clock steps back. So a denied
	 * call never delays the expiry by the other limit.
	 */
	long open(Limit wanted, long clock) {
		Formula formula = wanted.formula();
		boolean stepped = isAheadOf(clock);
		if (stepped) {
			this.ahead = this.changedAt - clock;
		}
		long own = clock + this.ahead;
		Limit writer = this.limit;
		if (writer == null || own >= this.resetAt) {
			return begin(wanted, clock);
		}
		long[] read = formula.read(writer.formula(), this.state, clock);
		long since = stepped ? clock : writer.formula().lastTurn(this.state, this.changedAt) - this.ahead;
		long now = (read == null) ? convert(formula, since, clock) : accept(read, formula, clock);
		if (stepped) {
			take(wanted, now, 0, 0);
			this.foreign = false;
		}
		return now;
	}

	private long accept(long[] read, Formula formula, long clock) {
		this.ahead = formula.followsClock() ? 0 : this.ahead;
		this.foreign = false;
		this.seen = read;
		this.reset = this.resetAt - clock - this.ahead;
		return clock + this.ahead;
	}

	/** Converts what is spent, which is all that one rule can read of another's state. */
	private long convert(Formula formula, long since, long clock) {
		this.foreign = true;
		this.seen = formula.stateOf(Formula.permitsSpent(this.state), since, clock);
		this.reset = this.resetAt - this.ahead - clock;
		return clock;
	}

	private long begin(Limit wanted, long clock) {
		this.foreign = false;
		this.ahead = 0;
		keep(wanted, wanted.formula().stateOf(0, clock), clock);
		return clock;
	}

	void clear() {
		this.limit = null;
	}

	/** Returns the wait, at most until the state expires by the limit that wrote it. */
	long waitFor(Formula formula, long now, long cost) {
		long wait = formula.waitFor(this.seen, now, cost);
		boolean expires = this.foreign ? wait > 0 : wait > this.reset;
		return expires ? this.reset : wait;
	}

	void take(Limit limit, long now, long cost, long wait) {
		long[] taken = limit.formula().take(this.seen, now, cost, wait);
		this.ahead = this.foreign ? 0 : this.ahead;
		keep(limit, (taken.length > this.seen.length) ? grown(limit.formula(), taken) : taken, now);
	}

	/** Keeps a state that has grown if there is memory for it; otherwise shortens it. */
	private long[] grown(Formula formula, long[] state) {
		if (this.memory.tryGrow(this.grownLength, state.length)) {
			this.grownLength = state.length;
			return state;
		}
		return formula.coarsened(state, this.seen.length);
	}

	/**
	 * Refunds a charge, and returns the parts that were still spent. Another rule's
	 * charges are unknown and are not refunded.
	 */
	long refund(PermitRequest permit, long now) {
		Limit limit = permit.limit();
		if (this.foreign || !limit.formula().isRefundable(this.seen, permit.chargedAtMicros())) {
			return 0;
		}
		long[] current = limit.formula().take(this.seen, now, 0, 0);
		long before = current[Formula.SPENT];
		long[] refunded = limit.formula()
			.refund(current, now, permit.cost(), permit.chargedAtMicros(), permit.turnMicros());
		keep(limit, refunded, now);
		return before - refunded[Formula.SPENT];
	}

	/** Keeps a state, writing only changed references to spare the collector. */
	private void keep(Limit limit, long[] state, long now) {
		if (this.grownLength > state.length) {
			release();
		}
		if (this.state != state) {
			this.state = state;
		}
		if (this.seen != state) {
			this.seen = state;
		}
		if (this.limit != limit) {
			this.limit = limit;
		}
		changed(limit.formula(), now);
	}

	private void release() {
		this.memory.release(this.grownLength);
		this.grownLength = 0;
	}

	private void changed(Formula formula, long now) {
		this.changedAt = now;
		this.reset = formula.resetAfter(this.state, now);
		this.resetAt = now + this.reset;
	}

	long remaining(Formula formula, long now) {
		return formula.remaining(this.seen, now);
	}

	/** Returns the time until the state expires, at most by the limit that wrote it. */
	long resetAfter(Limit limit, long now) {
		boolean isKnown = this.foreign || (this.changedAt == now && this.limit == limit);
		return isKnown ? this.reset : Math.min(this.reset, limit.formula().resetAfter(this.seen, now));
	}

}
