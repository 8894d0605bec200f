package io.github.ratelimit.algorithm;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The fixed window admits a number of permits per window. If the last window is full,
 * calls may wait for the one that starts at its end.
 *
 * <p>
 * State: permits spent in the last window that has any, 1, time that window ends, and
 * time that the state began with nothing spent.
 */
final class FixedWindow implements Formula {

	/**
	 * The letter of windows that begin with a first charge, and that of the calendar's.
	 */
	static final Rule RULE = new Rule("fixed-window", "fk");

	private static final int END = 2;

	private static final int BEGAN = 3;

	/** The end of a window that has not begun: no clock steps back to it. */
	private static final long NEVER = 0;

	private final long permits;

	private final Windows windows;

	FixedWindow(Rate rate, Windows windows) {
		if (rate.permits() > Bounds.MOST_PERMITS) {
			throw new IllegalArgumentException(
					"a fixed-window has at most " + Bounds.MOST_PERMITS + " permits, not " + rate.permits());
		}
		this.permits = rate.permits();
		this.windows = windows;
	}

	@Override
	public Rule rule() {
		return RULE;
	}

	@Override
	public boolean followsClock() {
		return isOfCalendar();
	}

	@Override
	public boolean isOfCalendar() {
		return this.windows.length() == 0;
	}

	@Override
	public long[] arguments(long now) {
		if (!followsClock()) {
			return new long[] { this.permits, this.windows.length(), 0, 0 };
		}
		long end = this.windows.end(now);
		return new long[] { this.permits, this.windows.begin(end), end, this.windows.end(end) };
	}

	@Override
	public long[] spanOfArguments(long now) {
		long end = this.windows.end(now);
		return new long[] { this.windows.begin(end), end };
	}

	@Override
	public long longestWait() {
		return this.windows.longestWait();
	}

	@Override
	public long[] stateOf(long spent, long since, long now) {
		long counted = (since > now) ? Math.max(spent, this.permits) : spent;
		return new long[] { counted, 1, (counted > 0) ? this.windows.end(now) : NEVER, now };
	}

	@Override
	public long @Nullable [] read(Formula writer, long[] state, long now) {
		boolean sameWindows = writer instanceof FixedWindow that && that.windows.length() == this.windows.length();
		if (!sameWindows || !this.windows.mayEnd(state[END], now)) {
			return null;
		}
		boolean stepped = followsClock() && state[BEGAN] > now;
		return stepped ? new long[] { state[SPENT], 1, state[END], now } : state;
	}

	@Override
	public long lastTurn(long[] state, long changedAt) {
		return Math.max(changedAt, this.windows.begin(state[END]));
	}

	@Override
	public long waitFor(long[] state, long now, long cost) {
		return waitFor(spent(state, now), state[END], now, cost);
	}

	private long waitFor(long spent, long end, long now, long cost) {
		boolean fits = spent + cost <= this.permits;
		return fits ? Math.max(0, this.windows.begin(end) - now) : end - now;
	}

	@Override
	public long turn(long now, long wait, long latest) {
		return this.windows.countable(now + Math.max(wait, latest), now);
	}

	@Override
	public long[] take(long[] state, long now, long cost, long wait) {
		long turn = now + wait;
		if (cost == 0) {
			return state;
		}
		if (state[END] <= turn) {
			state[SPENT] = cost;
			state[END] = this.windows.end(turn);
		}
		else {
			state[SPENT] = Math.min(Bounds.LARGEST, state[SPENT] + cost);
		}
		return state;
	}

	/** Refunds nothing to a window that has ended. */
	@Override
	public long[] refund(long[] state, long now, long cost, long chargedAt, long turn) {
		if (turn >= this.windows.begin(state[END]) && chargedAt >= state[BEGAN]) {
			state[SPENT] = Math.max(0, state[SPENT] - cost);
		}
		return state;
	}

	@Override
	public long remaining(long[] state, long now) {
		return remaining(spent(state, now), state[END], now);
	}

	private long remaining(long spent, long end, long now) {
		boolean begun = this.windows.begin(end) <= now;
		return begun ? Math.max(0, this.permits - spent) : 0;
	}

	@Override
	public boolean isPrefetchable() {
		return true;
	}

	/** Returns the time until the window ends. */
	@Override
	public long prefetchTime(long permits, long resetAfter) {
		return resetAfter;
	}

	@Override
	public long resetAfter(long[] state, long now) {
		return Math.max(0, state[END] - now);
	}

	private long spent(long[] state, long now) {
		return (state[END] <= now) ? 0 : state[SPENT];
	}

	/** Returns the formula on numbers, unless windows follow the calendar. */
	@Override
	public @Nullable LongFormula longFormula() {
		return followsClock() ? null : new Packed(this, Long.SIZE - Long.numberOfLeadingZeros(this.permits));
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other || (other instanceof FixedWindow that && this.permits == that.permits
				&& this.windows.equals(that.windows));
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.permits, this.windows);
	}

	/**
	 * The formula on numbers: the end of the window, then the permits spent in it.
	 *
	 * @param formula the formula on states
	 * @param bits the bits for the permits
	 */
	private record Packed(FixedWindow formula, int bits) implements LongFormula {

		@Override
		public long origin(long now) {
			return now;
		}

		@Override
		public long pack(long[] state, long origin) {
			return number(Math.max(0, state[END] - origin), state[SPENT]);
		}

		@Override
		public long[] unpack(long number, long origin, long at, long began) {
			return new long[] { permits(number), 1, origin + end(number), began };
		}

		@Override
		public long began(long[] state) {
			return state[BEGAN];
		}

		@Override
		public boolean isUnspent(long number, long now) {
			return end(number) <= now;
		}

		@Override
		public long waitFor(long number, long now, long cost) {
			return this.formula.waitFor(spent(number, now), end(number), now, cost);
		}

		@Override
		public long charge(long number, long now, long cost, long wait) {
			long turn = now + wait;
			boolean ended = end(number) <= turn;
			return ended ? number(this.formula.windows.end(turn), cost) : number(end(number), permits(number) + cost);
		}

		@Override
		public long remaining(long number, long now) {
			return this.formula.remaining(spent(number, now), end(number), now);
		}

		@Override
		public long resetAfter(long number, long now) {
			return Math.max(0, end(number) - now);
		}

		private long number(long end, long permits) {
			long number = end << this.bits | permits;
			return (end(number) == end && permits(number) == permits) ? number : UNFIT;
		}

		private long end(long number) {
			return number >> this.bits;
		}

		private long permits(long number) {
			return number & ((1L << this.bits) - 1);
		}

		private long spent(long number, long now) {
			return isUnspent(number, now) ? 0 : permits(number);
		}

	}

}
