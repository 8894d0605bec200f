package io.github.ratelimit.algorithm;

/**
 * The fixed window: so many permits in a window that begins with the first charge after
 * the last one ended.
 *
 * <p>
 * State: permits spent in the window, 1, time the window ends.
 */
final class FixedWindow implements Formula {

	private static final int END = 2;

	private final long permits;

	private final long window;

	FixedWindow(Rate rate) {
		this.permits = rate.permits();
		this.window = rate.periodMicros();
	}

	@Override
	public long[] arguments() {
		return new long[] { this.permits, this.window, 0, 0 };
	}

	@Override
	public long[] stateOf(long spent, long now) {
		return new long[] { Math.min(spent, this.permits), 1, (spent > 0) ? now + this.window : 0 };
	}

	@Override
	public void rewind(long[] state, long now) {
		state[END] = Math.min(state[END], now + this.window);
	}

	@Override
	public long retryAfter(long[] state, long now, long cost) {
		return (spent(state, now) + cost <= this.permits) ? 0 : state[END] - now;
	}

	@Override
	public long[] take(long[] state, long now, long cost) {
		if (state[END] <= now) {
			state[SPENT] = cost;
			state[END] = now + this.window;
		}
		else {
			state[SPENT] = spent(state, now) + cost;
		}
		return state;
	}

	@Override
	public long remaining(long[] state, long now) {
		return this.permits - spent(state, now);
	}

	@Override
	public long resetAfter(long[] state, long now) {
		return Math.max(0, state[END] - now);
	}

	private long spent(long[] state, long now) {
		return (state[END] <= now) ? 0 : Math.min(state[SPENT], this.permits);
	}

}
