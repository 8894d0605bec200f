package io.github.ratelimit.store;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Formula;
import io.github.ratelimit.algorithm.Gcra;
import io.github.ratelimit.algorithm.Limit;
import org.jspecify.annotations.Nullable;

/**
 * The count of one limit for one key. Guarded by its own monitor; of several cells the
 * monitors are taken in the order of {@link #order}.
 */
@SuppressWarnings("ReferenceEquality") // as it only spares work where nothing has changed
final class Cell {

	/** Before any clock. */
	private static final long NEVER = Long.MIN_VALUE;

	private static final long[] NONE = {};

	private static final long GRACE = TimeUnit.SECONDS.toMicros(1);

	final long order;

	private final Map<String, Cell> home;

	private final String key;

	private final StateMemory memory;

	private long[] state = NONE;

	/** How many numbers the state takes up of the memory; none until it has grown. */
	private int held;

	/** The limit that wrote the state, if any did. */
	private @Nullable Limit limit;

	/** When the state has run out by that limit, by the cell's own time. */
	private long resetAt;

	/** The state as the limit of the present call reads it. */
	private long[] seen = NONE;

	/** Whether the rule of that limit is another than the one that wrote the state. */
	private boolean foreign;

	/** How long until the state has run out, for the present call. */
	private long reset;

	/** The cell's own time when the state was last changed. */
	private long changedAt = NEVER;

	/** How far the cell's own time is ahead of the clock, which has stepped back. */
	private long ahead;

	private boolean retired;

	/** In place of the state, where threads count without the monitor. */
	private volatile @Nullable AtomicBucket bucket;

	/**
	 * A cell for a call to come, which must find it before it may be dropped.
	 * @param home where calls find it, by the key
	 * @param memory what states may take up
	 */
	Cell(Map<String, Cell> home, StateMemory memory, String key, long order, long now) {
		this.home = home;
		this.memory = memory;
		this.key = key;
		this.order = order;
		this.resetAt = now + GRACE;
	}

	/** Lets no other call find it, once it was dropped. */
	void leave() {
		this.home.remove(this.key, this);
		release();
	}

	/** The decision, where it can be had without the monitor. */
	@Nullable Decision acquire(Debit debit, LongSupplier clock) {
		AtomicBucket open = this.bucket;
		return (open != null) ? open.acquire(debit, clock) : null;
	}

	/**
	 * Lets threads count without the monitor, where the state is told by one number and
	 * was just changed by that limit.
	 */
	void exit(Limit limit, long now) {
		Gcra gcra = limit.gcra();
		if (gcra != null && this.ahead == 0 && this.changedAt == now && this.limit == limit) {
			this.bucket = new AtomicBucket(gcra, this.state[Formula.SPENT], now, gcra.began(this.state));
			this.state = NONE;
			this.seen = NONE;
		}
	}

	/** Leaves the count to those who hold the monitor. */
	private void close() {
		AtomicBucket open = this.bucket;
		Limit known = this.limit;
		if (open != null && known != null) {
			this.bucket = null;
			this.state = open.close();
			changed(known.formula(), open.changedAt());
		}
	}

	/**
	 * Has the count to oneself, under the monitor, unless it was dropped from the map so
	 * that charges to it would be lost.
	 */
	boolean enter() {
		close();
		return !this.retired;
	}

	/** Drops out, if the state is that of a key never charged and nothing is lost. */
	synchronized boolean retire(long now) {
		boolean isOver = !this.retired && resetAt() <= now + this.ahead;
		if (isOver) {
			close();
			this.retired = this.resetAt <= now + this.ahead;
		}
		return isOver && this.retired;
	}

	/**
	 * Drops out although the state is live, if less is spent than a part of the burst.
	 */
	synchronized boolean retireBelow(double part) {
		if (spentPart() < part) {
			close();
			this.retired = this.retired || spentPart() < part;
		}
		return this.retired;
	}

	/**
	 * The part of the burst that was spent when the state last changed, the whole before
	 * the first call. Nothing is worked out to the present, as that may take long.
	 */
	synchronized double spentPart() {
		AtomicBucket open = this.bucket;
		long[] known = (open != null) ? open.state() : this.state;
		return (this.limit == null) ? 1 : (double) Formula.permitsSpent(known) / this.limit.burst();
	}

	private long resetAt() {
		AtomicBucket open = this.bucket;
		return (open != null) ? open.resetAt() : this.resetAt;
	}

	/** Whether the state was changed later than at a time of the clock. */
	boolean isAheadOf(long clock) {
		return this.changedAt > clock + this.ahead;
	}

	/**
	 * Reads the state for a limit, and answers the time to count by, which never steps
	 * back: what was spent stays spent, and time counts on from there. What another limit
	 * wrote stays as it is until this one charges, or until the clock has stepped back.
	 * So a denied call never puts off when a count runs out for the other limit.
	 */
	long open(Limit wanted, long clock) {
		Formula formula = wanted.formula();
		boolean stepped = stepsBack(clock);
		long own = clock + this.ahead;
		Limit writer = this.limit;
		if (writer == null || own >= this.resetAt) {
			return begin(wanted, clock);
		}
		long[] read = formula.read(writer.formula(), this.state, clock);
		long since = stepped ? clock : writer.formula().lastPlace(this.state, this.changedAt) - this.ahead;
		long now = (read == null) ? goOn(formula, since, clock) : see(read, formula, clock);
		if (stepped) {
			take(wanted, now, 0, 0);
			this.foreign = false;
		}
		return now;
	}

	private long see(long[] read, Formula formula, long clock) {
		this.ahead = formula.followsCalendar() ? 0 : this.ahead;
		this.foreign = false;
		this.seen = read;
		this.reset = this.resetAt - clock - this.ahead;
		return clock + this.ahead;
	}

	/** From what is spent, which is all that one rule can tell of another's state. */
	private long goOn(Formula formula, long since, long clock) {
		this.foreign = true;
		this.seen = formula.stateOf(Formula.permitsSpent(this.state), since, clock);
		this.reset = this.resetAt - this.ahead - clock;
		return clock;
	}

	/** Keeps the cell's own time from stepping back with the clock. */
	private boolean stepsBack(long clock) {
		boolean stepped = isAheadOf(clock);
		if (stepped) {
			this.ahead = this.changedAt - clock;
		}
		return stepped;
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

	/** Never later than the state has run out by the limit that wrote it. */
	long waitFor(Formula formula, long now, long cost) {
		long wait = formula.waitFor(this.seen, now, cost);
		boolean runsOut = this.foreign ? wait > 0 : wait > this.reset;
		return runsOut ? this.reset : wait;
	}

	void take(Limit limit, long now, long cost, long wait) {
		long[] taken = limit.formula().take(this.seen, now, cost, wait);
		this.ahead = this.foreign ? 0 : this.ahead;
		keep(limit, (taken.length > this.seen.length) ? grown(limit.formula(), taken) : taken, now);
	}

	/** There must be memory for what has grown. */
	private long[] grown(Formula formula, long[] state) {
		if (this.memory.tryGrow(this.held, state.length)) {
			this.held = state.length;
			return state;
		}
		return formula.coarsened(state, this.seen.length);
	}

	/** What another rule counted is not told apart, so nothing of it is given back. */
	void giveBack(Limit limit, long now, long cost, long place) {
		if (!this.foreign) {
			long[] given = limit.formula().take(this.seen, now, 0, 0);
			limit.formula().giveBack(given, now, cost, place);
			keep(limit, given, now);
		}
	}

	/**
	 * A reference is not written where it stays: collectors charge for each write.
	 */
	private void keep(Limit limit, long[] state, long now) {
		if (this.held > state.length) {
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
		this.memory.release(this.held);
		this.held = 0;
	}

	private void changed(Formula formula, long now) {
		this.changedAt = now;
		this.reset = formula.resetAfter(this.state, now);
		this.resetAt = now + this.reset;
	}

	long remaining(Formula formula, long now) {
		return formula.remaining(this.seen, now);
	}

	/** Never later than the state has run out by the limit that wrote it. */
	long resetAfter(Limit limit, long now) {
		boolean isKnown = this.foreign || (this.changedAt == now && this.limit == limit);
		return isKnown ? this.reset : Math.min(this.reset, limit.formula().resetAfter(this.seen, now));
	}

}
