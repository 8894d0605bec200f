package io.github.ratelimit.algorithm;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * The sliding window log keeps every charge of the last period with its time and cost, in
 * a ring that grows by half when it is full. Charges of one microsecond are one entry.
 * Entries of calls that wait for their turn have the time of that turn. If there is no
 * memory for more entries, those of one grain of time are merged, and count for as long
 * as the latest of them.
 *
 * <p>
 * State: permits in the log, 1, index of the oldest entry, number of entries, then the
 * ring of times and costs. Entries that have left the period are dropped when another is
 * added.
 */
final class SlidingWindowLog implements Formula {

	static final Rule RULE = new Rule("sliding-window-log", "l");

	private static final int OLDEST = 2;

	private static final int COUNT = 3;

	private static final int RING = 4;

	private static final int FIRST_CAPACITY = 8;

	/** The largest cost that an entry of the Lua form holds. */
	private static final long LARGEST_COST = (1L << 32) - 1;

	/** The most permits, so that an entry holds those owed. */
	private static final long MOST_PERMITS = LARGEST_COST / Bounds.PERIODS_OWED;

	private final long permits;

	private final long window;

	private final long[] arguments;

	SlidingWindowLog(Rate rate) {
		if (rate.permits() > MOST_PERMITS) {
			throw new IllegalArgumentException(
					"a sliding-window-log has at most " + MOST_PERMITS + " permits, not " + rate.permits());
		}
		this.permits = rate.permits();
		this.window = rate.periodMicros();
		this.arguments = new long[] { this.permits, this.window, 0, 0 };
	}

	@Override
	public Rule rule() {
		return RULE;
	}

	@Override
	public long[] arguments(long now) {
		return this.arguments;
	}

	@Override
	public long[] stateOf(long spent, long since, long now) {
		long[] state = new long[RING + 2 * FIRST_CAPACITY];
		state[UNIT] = 1;
		long counted = (since > now) ? Math.max(spent, this.permits) : spent;
		return (counted > 0) ? append(state, now, Math.min(counted, LARGEST_COST)) : state;
	}

	/** Reads a log of any number of permits, as a charge is the same in all. */
	@Override
	public long @Nullable [] read(Formula writer, long[] state, long now) {
		return (writer instanceof SlidingWindowLog) ? state : null;
	}

	@Override
	public long lastTurn(long[] state, long changedAt) {
		return Math.max(changedAt, newest(state));
	}

	@Override
	public long waitFor(long[] state, long now, long cost) {
		long entry = expired(state, now);
		long lacking = spentFrom(state, entry) + cost - this.permits;
		long turn = Math.max(now, newest(state));
		for (; lacking > 0; entry++) {
			lacking -= cost(state, entry);
			turn = Math.max(turn, time(state, entry) + this.window);
		}
		return turn - now;
	}

	@Override
	public long turn(long now, long wait, long latest) {
		return now + Math.max(wait, latest);
	}

	@Override
	public long[] take(long[] state, long now, long cost, long wait) {
		long expired = expired(state, now);
		state[SPENT] = spentFrom(state, expired);
		state[OLDEST] = (state[OLDEST] + expired) % capacity(state);
		state[COUNT] -= expired;
		return (cost == 0) ? state : append(state, Math.max(now + wait, newest(state)), Math.min(cost, LARGEST_COST));
	}

	/**
	 * Merges entries of one grain. Grains are powers of two, so that earlier grains lie
	 * within later ones, and no charge is moved by more than the last grain.
	 */
	@Override
	public long[] coarsened(long[] state, int length) {
		long[] coarse = new long[length];
		coarse[UNIT] = 1;
		long grain = grain(newest(state) - time(state, 0), capacity(coarse));
		for (long entry = 0; entry < state[COUNT]; entry++) {
			long time = time(state, entry);
			long last = newest(coarse);
			if (coarse[COUNT] > 0 && time / grain == last / grain) {
				coarse[index(coarse, coarse[COUNT] - 1)] = time;
			}
			append(coarse, time, cost(state, entry));
		}
		return coarse;
	}

	/**
	 * Returns the smallest grain that leaves a quarter of the entries free, and at least
	 * one.
	 */
	private static long grain(long span, int capacity) {
		long grain = 1;
		while (span / grain + 2 > capacity * 3L / 4) {
			grain *= 2;
		}
		return grain;
	}

	@Override
	public long[] refund(long[] state, long now, long cost, long chargedAt, long turn) {
		long entry = state[COUNT] - 1;
		while (entry >= 0 && time(state, entry) != turn) {
			entry--;
		}
		if (entry >= 0) {
			long refunded = Math.min(cost, cost(state, entry));
			state[index(state, entry) + 1] -= refunded;
			state[SPENT] -= refunded;
		}
		return state;
	}

	@Override
	public long remaining(long[] state, long now) {
		boolean waiting = newest(state) > now;
		return waiting ? 0 : Math.max(0, this.permits - spentFrom(state, expired(state, now)));
	}

	/** May be later than necessary after a refund. */
	@Override
	public long resetAfter(long[] state, long now) {
		boolean spent = spentFrom(state, expired(state, now)) > 0;
		return spent ? newest(state) + this.window - now : 0;
	}

	/** Returns when the newest entry was or will be charged. */
	private static long newest(long[] state) {
		return (state[COUNT] == 0) ? 0 : time(state, state[COUNT] - 1);
	}

	/** Returns the number of oldest entries that have left the period. */
	private long expired(long[] state, long now) {
		long entry = 0;
		while (entry < state[COUNT] && time(state, entry) <= now - this.window) {
			entry++;
		}
		return entry;
	}

	private static long spentFrom(long[] state, long first) {
		long spent = state[SPENT];
		for (long entry = 0; entry < first; entry++) {
			spent -= cost(state, entry);
		}
		return spent;
	}

	private static long[] append(long[] state, long now, long cost) {
		state[SPENT] += cost;
		if (state[COUNT] > 0 && time(state, state[COUNT] - 1) == now) {
			state[index(state, state[COUNT] - 1) + 1] += cost;
			return state;
		}
		long[] roomy = (state[COUNT] < capacity(state)) ? state : grown(state);
		int index = index(roomy, roomy[COUNT]++);
		roomy[index] = now;
		roomy[index + 1] = cost;
		return roomy;
	}

	private static long[] grown(long[] state) {
		int capacity = capacity(state);
		int older = 2 * (int) state[OLDEST];
		long[] grown = Arrays.copyOf(state, RING + 2 * (capacity + capacity / 2));
		System.arraycopy(state, RING + older, grown, RING, 2 * capacity - older);
		System.arraycopy(state, RING, grown, RING + 2 * capacity - older, older);
		grown[OLDEST] = 0;
		return grown;
	}

	private static long time(long[] state, long entry) {
		return state[index(state, entry)];
	}

	private static long cost(long[] state, long entry) {
		return state[index(state, entry) + 1];
	}

	private static int index(long[] state, long entry) {
		return RING + 2 * (int) ((state[OLDEST] + entry) % capacity(state));
	}

	private static int capacity(long[] state) {
		return (state.length - RING) / 2;
	}

}
