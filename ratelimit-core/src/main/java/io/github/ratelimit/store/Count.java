package io.github.ratelimit.store;

import java.util.Arrays;

import io.github.ratelimit.algorithm.Formula;
import io.github.ratelimit.algorithm.Limit;
import org.jspecify.annotations.Nullable;

/**
 * A count of one limit for one key, for stores that decide in Java: what makes a
 * {@link Formula} a count that lasts. {@link Counts} decides on it. It keeps these rules,
 * which hold in every store:
 *
 * <ul>
 * <li>Time never steps back. If the clock does, the count's own time goes on from its
 * last change: what is spent stays spent. Only windows of the calendar follow the clock.
 * <li>What was spent under another limit stays spent. A limit of the same rule reads the
 * state; one of another rule continues from the permits spent. Either leaves the state as
 * it is until it charges. So no denied call delays the end that the former limit has set.
 * <li>Permits charged under another rule cannot be refunded.
 * <li>A count that has run out begins anew. The store must write the new count, even for
 * a call that charges nothing: if the clock stepped back, the old one would apply again.
 * </ul>
 *
 * <p>
 * A store outside the process keeps the {@link #writer} and the {@link #numbers} of a
 * count that {@link #isChanged has changed}, until it {@link #expiresAt expires} or a
 * little longer, and {@linkplain #read reads} them for the next call. Of a count that was
 * never charged, it keeps nothing. Not thread-safe: the store lets one thread at a time
 * decide, or keeps what one has decided only if no other has changed the count meanwhile.
 */
@SuppressWarnings("ReferenceEquality") // as it only spares work where nothing has changed
public final class Count {

	/** A time before any clock. */
	private static final long NEVER = Long.MIN_VALUE;

	private static final long[] NONE = {};

	/** The numbers that a count has besides its state. */
	private static final int TIMES = 3;

	private final Memory memory;

	private long[] state = NONE;

	/** The numbers of the state that count against the memory; 0 until it has grown. */
	private int grownLength;

	/** The limit that wrote the state, if any did. */
	private @Nullable Limit limit;

	/** The time when the state expires by that limit, by the count's own time. */
	private long resetAt;

	/** The state as the limit of the present call reads it. */
	private long[] seen = NONE;

	/** The flag for a state written by another rule than the present limit's. */
	private boolean foreign;

	/** The flag for a count that a store has kept. */
	private boolean kept;

	private boolean changed;

	/** The time until the state expires, for the present call. */
	private long reset;

	/** The count's own time of the last change. */
	private long changedAt = NEVER;

	/** The lead of the count's own time over a clock that has stepped back. */
	private long ahead;

	/** Creates a count of a key that was never charged. */
	public Count() {
		this(Memory.UNBOUNDED, NEVER);
	}

	/**
	 * Creates a count of a key that was never charged.
	 * @param memory the memory of states that grow
	 * @param expiresAt when it expires if it is not used before, in microseconds
	 */
	public Count(Memory memory, long expiresAt) {
		this.memory = memory;
		this.resetAt = expiresAt;
	}

	/**
	 * Returns a count whose state is known, on a clock that has not stepped back.
	 * @param memory the memory of states that grow
	 * @param writer the limit that wrote the state
	 * @param state the state, which the count takes over
	 * @param changedAt the time of the last change, in microseconds
	 * @return the count, unchanged
	 */
	public static Count of(Memory memory, Limit writer, long[] state, long changedAt) {
		Count count = new Count(memory, changedAt + writer.formula().resetAfter(state, changedAt));
		count.limit = writer;
		count.state = state;
		count.changedAt = changedAt;
		return count;
	}

	/**
	 * Reads a count that a store has kept.
	 * @param writer the limit that wrote it
	 * @param numbers its {@link #numbers}, left as they are
	 * @return the count, unchanged
	 * @throws IllegalArgumentException if these are too few numbers
	 */
	public static Count read(Limit writer, long[] numbers) {
		if (numbers.length < TIMES + 2) {
			throw new IllegalArgumentException(
					"a count has at least " + (TIMES + 2) + " numbers, had " + numbers.length);
		}
		Count count = new Count(Memory.UNBOUNDED, numbers[1]);
		count.limit = writer;
		count.state = Arrays.copyOfRange(numbers, TIMES, numbers.length);
		count.changedAt = numbers[0];
		count.ahead = numbers[2];
		count.kept = true;
		return count;
	}

	/**
	 * Returns the limit that wrote the count, to be kept with its numbers.
	 * @return the limit; {@code null} before the first call
	 */
	public @Nullable Limit writer() {
		return this.limit;
	}

	/**
	 * Returns what a store keeps, with the {@link #writer}: when the count was last
	 * changed, when it expires, how far its time is ahead of the clock, and its state.
	 * @return new numbers, at least 5, whose number may change with each charge
	 */
	public long[] numbers() {
		long[] numbers = new long[TIMES + this.state.length];
		numbers[0] = this.changedAt;
		numbers[1] = this.resetAt;
		numbers[2] = this.ahead;
		System.arraycopy(this.state, 0, numbers, TIMES, this.state.length);
		return numbers;
	}

	/**
	 * Returns whether this count differs from what was read.
	 * @return whether a store has to keep it
	 */
	public boolean isChanged() {
		return this.changed;
	}

	/**
	 * Returns when the count will be as if never charged.
	 * @return the time by the clock of the store, in microseconds
	 */
	public long expiresAt() {
		return this.resetAt - this.ahead;
	}

	/**
	 * Returns the state of the last change.
	 * @return the state, to be left as it is; empty before the first call
	 */
	public long[] state() {
		return this.state;
	}

	/**
	 * Returns whether the count was changed later than a time of the clock, because the
	 * clock has stepped back or was read too early.
	 * @param clock the time, in microseconds
	 * @return whether the time of the count would step back
	 */
	public boolean isAheadOf(long clock) {
		return this.changedAt > clock + this.ahead;
	}

	/**
	 * Returns whether a limit has just changed the count, whose time is that of the
	 * clock.
	 * @param limit the limit
	 * @param clock the time of the change, in microseconds
	 * @return whether the state is one that this limit has written then
	 */
	public boolean isJustChangedBy(Limit limit, long clock) {
		return this.ahead == 0 && this.changedAt == clock && this.limit == limit;
	}

	/**
	 * Returns whether the state has grown, so that it takes up memory.
	 * @return whether there is something to {@link #release}
	 */
	public boolean hasGrown() {
		return this.grownLength > 0;
	}

	/** Releases the memory of a state that has grown, once the count is dropped. */
	public void release() {
		this.memory.release(this.grownLength);
		this.grownLength = 0;
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

	/** Begins with nothing spent, which is only a change if something was kept. */
	private long begin(Limit wanted, long clock) {
		boolean changes = this.changed || this.kept;
		this.foreign = false;
		this.ahead = 0;
		keep(wanted, wanted.formula().stateOf(0, clock), clock);
		this.changed = changes;
		return clock;
	}

	void clear() {
		this.changed |= this.kept;
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
		this.changed = true;
		this.changedAt = now;
		this.reset = limit.formula().resetAfter(state, now);
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

	/**
	 * The memory of states that grow, such as those of sliding window logs. A state that
	 * may not grow becomes coarser: it admits no more, but some calls later.
	 */
	public interface Memory {

		/** Memory without a bound. */
		Memory UNBOUNDED = new Memory() {

			@Override
			public boolean tryGrow(int from, int to) {
				return true;
			}

			@Override
			public void release(int length) {
			}

		};

		/**
		 * Takes the memory that a state grows by, if there is enough.
		 * @param from the numbers for which it has taken memory before; 0 for none
		 * @param to the numbers that it will have
		 * @return whether the state may grow
		 */
		boolean tryGrow(int from, int to);

		/**
		 * Frees the memory of a state.
		 * @param length the numbers for which it has taken memory; 0 for none
		 */
		void release(int length);

	}

}
