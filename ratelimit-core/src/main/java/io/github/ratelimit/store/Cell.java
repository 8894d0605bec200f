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

	/** Of a state that bears a clock that steps back, however far. */
	private static final long NEVER = Long.MIN_VALUE;

	private static final long[] NONE = {};

	private static final long GRACE = TimeUnit.SECONDS.toMicros(1);

	final long order;

	private final Map<String, Cell> home;

	private final String key;

	private long[] state = NONE;

	/** What the state is of, if any. */
	private @Nullable Limit limit;

	/** When the state has run out, by the cell's own time. */
	private long resetAt;

	/** By which limit it has, which may be one before. */
	private @Nullable Limit resetBy;

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
	 */
	Cell(Map<String, Cell> home, String key, long order, long now) {
		this.home = home;
		this.key = key;
		this.order = order;
		this.resetAt = now + GRACE;
	}

	/** Lets no other call find it. */
	void leave() {
		this.home.remove(this.key, this);
	}

	/** The decision, where it can be had without the monitor. */
	@Nullable Decision acquire(Debit debit, LongSupplier clock) {
		AtomicBucket open = this.bucket;
		return (open != null) ? open.acquire(debit, clock) : null;
	}

	/**
	 * Lets threads count without the monitor, where the state is told by one number and
	 * was just changed by that limit: another would not tell when it runs out.
	 */
	void exit(Limit limit, long now) {
		Gcra gcra = limit.gcra();
		if (gcra != null && this.ahead == 0 && this.changedAt == now && this.resetBy == limit) {
			this.bucket = new AtomicBucket(gcra, this.state[Formula.SPENT], now);
			this.state = NONE;
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
	 * Prepares the state for a limit, and answers the cell's own time, which never steps
	 * back: what was spent stays spent, and time counts on from there.
	 */
	long open(Limit wanted, long clock) {
		Formula formula = wanted.formula();
		boolean stepped = stepsBack(clock);
		long now = clock + this.ahead;
		Limit known = replace(wanted);
		if (known == null || now >= this.resetAt) {
			return begin(formula, clock, 0);
		}
		if (!known.formula().rule().equals(formula.rule())) {
			return begin(formula, clock, Formula.permitsSpent(this.state));
		}
		if (formula.followsCalendar()) {
			this.ahead = 0;
			now = clock;
		}
		if (formula.adopt(this.state, now) || stepped) {
			take(formula, now, 0, 0);
		}
		return now;
	}

	/** Keeps the cell's own time from stepping back with the clock. */
	private boolean stepsBack(long clock) {
		boolean stepped = isAheadOf(clock);
		if (stepped) {
			this.ahead = this.changedAt - clock;
		}
		return stepped;
	}

	/**
	 * Answers the limit before. A reference is not written where it stays: collectors
	 * charge for each write.
	 */
	private @Nullable Limit replace(Limit wanted) {
		Limit known = this.limit;
		if (known != wanted) {
			this.limit = wanted;
		}
		return known;
	}

	private long begin(Formula formula, long clock, long spent) {
		this.state = formula.stateOf(spent, clock);
		this.ahead = 0;
		this.changedAt = formula.followsCalendar() ? NEVER : clock;
		resets(clock + formula.resetAfter(this.state, clock));
		return clock;
	}

	void clear() {
		this.limit = null;
	}

	long waitFor(Formula formula, long now, long cost) {
		return formula.waitFor(this.state, now, cost);
	}

	void take(Formula formula, long now, long cost, long wait) {
		keep(formula.take(this.state, now, cost, wait));
		changed(formula, now);
	}

	void giveBack(Formula formula, long now, long cost, long place) {
		keep(formula.take(this.state, now, 0, 0));
		formula.giveBack(this.state, now, cost, place);
		changed(formula, now);
	}

	private void keep(long[] state) {
		if (state != this.state) {
			this.state = state;
		}
	}

	private void changed(Formula formula, long now) {
		this.changedAt = formula.followsCalendar() ? NEVER : now;
		resets(now + formula.resetAfter(this.state, now));
	}

	private void resets(long at) {
		this.resetAt = at;
		if (this.resetBy != this.limit) {
			this.resetBy = this.limit;
		}
	}

	long remaining(Formula formula, long now) {
		return formula.remaining(this.state, now);
	}

	long resetAfter(Formula formula, long now) {
		boolean isKnown = this.changedAt == now && this.resetBy == this.limit;
		return isKnown ? this.resetAt - now : formula.resetAfter(this.state, now);
	}

}
