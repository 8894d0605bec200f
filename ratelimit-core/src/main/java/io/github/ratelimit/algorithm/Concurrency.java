package io.github.ratelimit.algorithm;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * A concurrency limit counts the permits that calls hold. A call gives them back when it
 * ends; if it does not, they return once their lease has ended, one period after they
 * were charged or last renewed.
 *
 * <p>
 * Times are rounded up to a hundredth of the lease, and charges of one such grain are one
 * entry. So a state has at most about a hundred entries, however many permits there are,
 * and a lease never ends early. Time is that of the clock: permits that seem to be
 * charged in the future, as the clock stepped back, count as charged now.
 *
 * <p>
 * State: permits held, 1, the time the state began with nothing held, number of entries,
 * then their times and permits, the oldest first.
 */
final class Concurrency implements Formula {

	static final Rule RULE = new Rule("concurrency", "h");

	/** The grains of a lease. */
	static final long GRAINS = 100;

	/** The most permits, which are as many as those of a log. */
	private static final long MOST_PERMITS = (1L << 32) - 1;

	private static final int BEGAN = 2;

	private static final int COUNT = 3;

	private static final int ENTRIES = 4;

	/** The entries for which there is room at first, and by which it grows. */
	private static final int FIRST_CAPACITY = 8;

	private final long permits;

	private final long lease;

	private final long grain;

	private final long[] arguments;

	Concurrency(Rate rate) {
		if (rate.permits() > MOST_PERMITS) {
			throw new IllegalArgumentException(
					"a limit on concurrency has at most " + MOST_PERMITS + " permits, not " + rate.permits());
		}
		this.permits = rate.permits();
		this.lease = rate.periodMicros();
		this.grain = Math.max(1, this.lease / GRAINS);
		this.arguments = new long[] { this.permits, this.lease, this.grain, 0 };
	}

	@Override
	public Rule rule() {
		return RULE;
	}

	@Override
	public boolean followsClock() {
		return true;
	}

	/**
	 * No call has a turn, as permits return when other calls end. Calls wait for those.
	 */
	@Override
	public long longestWait() {
		return 0;
	}

	@Override
	public long[] arguments(long now) {
		return this.arguments;
	}

	@Override
	public long[] stateOf(long spent, long since, long now) {
		long[] state = new long[ENTRIES + 2 * FIRST_CAPACITY];
		state[UNIT] = 1;
		state[BEGAN] = now;
		long counted = (since > now) ? Math.max(spent, this.permits) : spent;
		return (counted > 0) ? append(state, roundedUp(now), counted) : state;
	}

	@Override
	public long @Nullable [] read(Formula writer, long[] state, long now) {
		if (!(writer instanceof Concurrency)) {
			return null;
		}
		long latest = roundedUp(now);
		return (state[BEGAN] > now || newest(state) > latest) ? clamped(state, now, latest) : state;
	}

	/** Returns a state whose entries are no later than a time. */
	private static long[] clamped(long[] state, long now, long latest) {
		long[] clamped = new long[state.length];
		clamped[UNIT] = 1;
		clamped[BEGAN] = Math.min(state[BEGAN], now);
		for (int entry = 0; entry < state[COUNT]; entry++) {
			append(clamped, Math.min(time(state, entry), latest), permits(state, entry));
		}
		return clamped;
	}

	@Override
	public long waitFor(long[] state, long now, long cost) {
		int entry = ended(state, now);
		long lacking = heldFrom(state, entry) + cost - this.permits;
		long fitsAt = now;
		for (; lacking > 0; entry++) {
			lacking -= permits(state, entry);
			fitsAt = time(state, entry) + this.lease;
		}
		return fitsAt - now;
	}

	@Override
	public long[] take(long[] state, long now, long cost, long wait) {
		int ended = ended(state, now);
		if (ended != 0) {
			state[SPENT] = heldFrom(state, ended);
			remove(state, 0, ended);
		}
		return (cost == 0) ? state : append(state, Math.max(roundedUp(now + wait), newest(state)), cost);
	}

	@Override
	public long[] refund(long[] state, long now, long cost, long chargedAt, long turn) {
		long time = roundedUp(chargedAt);
		int entry = (int) state[COUNT] - 1;
		while (entry >= 0 && time(state, entry) != time) {
			entry--;
		}
		if (entry >= 0 && chargedAt >= state[BEGAN]) {
			long refunded = Math.min(cost, permits(state, entry));
			state[SPENT] -= refunded;
			state[ENTRIES + 2 * entry + 1] -= refunded;
			remove(state, entry, (permits(state, entry) == 0) ? 1 : 0);
		}
		return state;
	}

	@Override
	public long remaining(long[] state, long now) {
		return Math.max(0, this.permits - heldFrom(state, ended(state, now)));
	}

	@Override
	public long resetAfter(long[] state, long now) {
		return Math.max(0, newest(state) + this.lease - now);
	}

	private long roundedUp(long time) {
		return -Math.floorDiv(-time, this.grain) * this.grain;
	}

	/** Returns the time of the newest entry, or a time before any lease. */
	private long newest(long[] state) {
		return (state[COUNT] == 0) ? -this.lease : time(state, (int) state[COUNT] - 1);
	}

	/** Returns the number of oldest entries whose leases have ended. */
	private int ended(long[] state, long now) {
		int entry = 0;
		while (entry < state[COUNT] && time(state, entry) <= now - this.lease) {
			entry++;
		}
		return entry;
	}

	private static long heldFrom(long[] state, int first) {
		long held = state[SPENT];
		for (int entry = 0; entry < first; entry++) {
			held -= permits(state, entry);
		}
		return held;
	}

	/** Removes entries from an index on. */
	private static void remove(long[] state, int entry, int entries) {
		state[COUNT] -= entries;
		System.arraycopy(state, ENTRIES + 2 * (entry + entries), state, ENTRIES + 2 * entry,
				2 * ((int) state[COUNT] - entry));
	}

	/** Adds permits at a time, which is not before the newest entry. */
	private static long[] append(long[] state, long time, long permits) {
		long added = Math.min(permits, Bounds.LARGEST - state[SPENT]);
		int last = ENTRIES + 2 * (int) state[COUNT];
		boolean merged = state[COUNT] > 0 && state[last - 2] == time;
		long[] roomy = (merged || last < state.length) ? state : Arrays.copyOf(state, last + 2 * FIRST_CAPACITY);
		int entry = merged ? last - 2 : last;
		roomy[SPENT] += added;
		roomy[COUNT] += merged ? 0 : 1;
		roomy[entry] = time;
		roomy[entry + 1] += merged ? added : added - roomy[entry + 1];
		return roomy;
	}

	private static long time(long[] state, int entry) {
		return state[ENTRIES + 2 * entry];
	}

	private static long permits(long[] state, int entry) {
		return state[ENTRIES + 2 * entry + 1];
	}

}
