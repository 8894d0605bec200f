package io.github.ratelimit.algorithm;

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

	private static final int END = 2;

	private static final int BEGAN = 3;

	/** The end of a window that has not begun: no clock steps back to it. */
	private static final long NEVER = 0;

	private final long permits;

	private final Windows windows;

	FixedWindow(Rate rate, Windows windows) {
		if (rate.permits() > Bounds.LARGEST) {
			throw new IllegalArgumentException(
					"a fixed-window has at most " + Bounds.LARGEST + " permits, not " + rate.permits());
		}
		this.permits = rate.permits();
		this.windows = windows;
	}

	@Override
	public String rule() {
		return "fixed-window";
	}

	@Override
	public boolean followsClock() {
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
		boolean fits = spent(state, now) + cost <= this.permits;
		return fits ? Math.max(0, this.windows.begin(state[END]) - now) : state[END] - now;
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
	public void refund(long[] state, long now, long cost, long chargedAt) {
		if (chargedAt >= this.windows.begin(state[END]) && chargedAt >= state[BEGAN]) {
			state[SPENT] = Math.max(0, state[SPENT] - cost);
		}
	}

	@Override
	public long remaining(long[] state, long now) {
		boolean begun = this.windows.begin(state[END]) <= now;
		return begun ? Math.max(0, this.permits - spent(state, now)) : 0;
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

}
