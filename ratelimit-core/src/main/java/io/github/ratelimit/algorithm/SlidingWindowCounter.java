package io.github.ratelimit.algorithm;

/**
 * The sliding window counter: permits spent in this window, and those of the window
 * before by the share of it that the last period still covers. Windows begin at whole
 * multiples of the period. Shares are compared as whole products of permits and ticks, so
 * nothing is ever rounded. A tick is the finest of {@link Ticks} at which
 * {@code permits * period} fits a Lua number.
 *
 * <p>
 * State: permits spent in both windows, 1, those spent in the later window, time that one
 * began.
 */
final class SlidingWindowCounter implements Formula {

	private static final int LATER = 2;

	private static final int BEGIN = 3;

	private final long permits;

	/** The length of a window in ticks. */
	private final long window;

	private final long tick;

	SlidingWindowCounter(Rate rate) {
		this.permits = rate.permits();
		this.tick = Ticks.finest(rate, (tick) -> isCountable(rate, tick))
			.orElseThrow(() -> new IllegalArgumentException(
					rate + " is too large to be counted exactly: use a shorter period or fewer permits"));
		this.window = rate.periodMicros() / this.tick;
	}

	@Override
	public long[] arguments() {
		return new long[] { this.permits, this.window, this.tick, 0 };
	}

	@Override
	public long[] stateOf(long spent, long now) {
		long capped = Math.min(spent, this.permits);
		return new long[] { capped, 1, capped, begin(now) };
	}

	@Override
	public void rewind(long[] state, long now) {
		if (state[BEGIN] > begin(now)) {
			state[BEGIN] = begin(now);
			take(state, now, 0);
		}
	}

	@Override
	public long retryAfter(long[] state, long now, long cost) {
		long earlier = earlier(state, now);
		long later = later(state, now);
		long elapsed = elapsed(now);
		if (later + cost <= this.permits) {
			return micros(Math.max(0, shareAllows(earlier, this.permits - cost - later) - elapsed), now);
		}
		return micros(this.window - elapsed + shareAllows(later, this.permits - cost), now);
	}

	@Override
	public long[] take(long[] state, long now, long cost) {
		long earlier = earlier(state, now);
		long later = later(state, now) + cost;
		state[SPENT] = earlier + later;
		state[UNIT] = 1;
		state[LATER] = later;
		state[BEGIN] = begin(now);
		return state;
	}

	@Override
	public long remaining(long[] state, long now) {
		long covered = earlier(state, now) * (this.window - elapsed(now));
		return Math.max(0, (this.permits * this.window - covered) / this.window - later(state, now));
	}

	@Override
	public long resetAfter(long[] state, long now) {
		if (later(state, now) > 0) {
			return micros(2 * this.window - elapsed(now), now);
		}
		return (earlier(state, now) > 0) ? micros(this.window - elapsed(now), now) : 0;
	}

	/**
	 * The ticks into a window after which so much of the one before fits into the room.
	 */
	private long shareAllows(long earlier, long room) {
		return (earlier == 0) ? 0 : Math.max(0, this.window - room * this.window / earlier);
	}

	/** Spent in the window before the one of now. */
	private long earlier(long[] state, long now) {
		long begin = begin(now);
		if (state[BEGIN] == begin) {
			return Math.min(this.permits, state[SPENT] - state[LATER]);
		}
		return (state[BEGIN] == begin - this.window * this.tick) ? Math.min(this.permits, state[LATER]) : 0;
	}

	/**
	 * Spent in the window of now: all of it, where windows of another length were counted
	 * that may reach into this one.
	 */
	private long later(long[] state, long now) {
		long begin = begin(now);
		long length = this.window * this.tick;
		if (state[BEGIN] == begin) {
			return Math.min(this.permits, state[LATER]);
		}
		boolean foreign = state[BEGIN] > begin - length;
		return foreign ? Math.min(this.permits, state[SPENT]) : 0;
	}

	private long begin(long now) {
		return now / this.tick / this.window * this.window * this.tick;
	}

	private long elapsed(long now) {
		return now / this.tick % this.window;
	}

	private long micros(long ticks, long now) {
		return Ticks.micros(ticks, this.tick, now);
	}

	private static boolean isCountable(Rate rate, long tick) {
		return rate.permits() <= LARGEST / (rate.periodMicros() / tick);
	}

}
