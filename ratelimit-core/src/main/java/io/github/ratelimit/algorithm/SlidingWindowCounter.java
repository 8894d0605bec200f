package io.github.ratelimit.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * The sliding window counter adds the permits spent in this window and those of the
 * window before, by the share of it that the last period still covers. Windows begin at
 * whole multiples of the period. Shares are compared as whole products of permits and
 * ticks, so nothing is ever rounded. A tick is the finest of {@link Ticks} at which
 * {@code permits * period} fits a Lua number.
 *
 * <p>
 * State: permits spent in both windows, 1, those spent in the later window, time that one
 * begins, and time that the state began with nothing spent. The later window is in the
 * future if calls wait for it.
 */
final class SlidingWindowCounter implements Formula {

	private static final int LATER = 2;

	private static final int BEGIN = 3;

	private static final int BEGAN = 4;

	private final long permits;

	/** The length of a window in ticks. */
	private final long window;

	private final long tick;

	/** The most that is counted in one window. */
	private final long most;

	private final long[] arguments;

	SlidingWindowCounter(Rate rate) {
		this.permits = rate.permits();
		this.tick = Ticks.finest(rate, (tick) -> isCountable(rate, tick))
			.orElseThrow(() -> new IllegalArgumentException(
					rate + " is too large to be counted exactly: use a shorter period or fewer permits"));
		this.window = rate.periodMicros() / this.tick;
		this.most = Bounds.LARGEST / this.window;
		this.arguments = new long[] { this.permits, this.window, this.tick, 0 };
	}

	@Override
	public String rule() {
		return "sliding-window-counter";
	}

	@Override
	public long[] arguments(long now) {
		return this.arguments;
	}

	@Override
	public long[] stateOf(long spent, long since, long now) {
		long counted = Math.min(this.most, (since > now) ? Math.max(spent, this.permits) : spent);
		return new long[] { counted, 1, counted, begin(now), now };
	}

	@Override
	public long @Nullable [] read(Formula writer, long[] state, long now) {
		return (writer instanceof SlidingWindowCounter) ? state : null;
	}

	@Override
	public long lastTurn(long[] state, long changedAt) {
		return Math.max(changedAt, state[BEGIN]);
	}

	@Override
	public long waitFor(long[] state, long now, long cost) {
		long start = Math.max(now, state[BEGIN]);
		long earlier = earlier(state, start);
		long later = later(state, start);
		long elapsed = elapsed(start);
		long ticks = (later + cost <= this.permits)
				? Math.max(0, shareAllows(earlier, this.permits - cost - later) - elapsed)
				: this.window - elapsed + shareAllows(later, this.permits - cost);
		return start - now + micros(ticks, start);
	}

	@Override
	public long[] take(long[] state, long now, long cost, long wait) {
		long turn = Math.max(now + wait, state[BEGIN]);
		long later = Math.min(this.most, later(state, turn) + Math.min(this.most, cost));
		store(state, begin(turn), earlier(state, turn), later);
		return state;
	}

	@Override
	public void refund(long[] state, long now, long cost, long chargedAt) {
		if (chargedAt < state[BEGAN]) {
			return;
		}
		long earlier = state[SPENT] - state[LATER];
		if (begin(chargedAt) == state[BEGIN]) {
			store(state, state[BEGIN], earlier, Math.max(0, state[LATER] - cost));
		}
		else if (begin(chargedAt) == state[BEGIN] - length()) {
			store(state, state[BEGIN], Math.max(0, earlier - cost), state[LATER]);
		}
	}

	@Override
	public long remaining(long[] state, long now) {
		if (state[BEGIN] > now) {
			return 0;
		}
		long covered = earlier(state, now) * (this.window - elapsed(now));
		return Math.max(0, Math.floorDiv(this.permits * this.window - covered, this.window) - later(state, now));
	}

	@Override
	public long resetAfter(long[] state, long now) {
		long start = Math.max(now, state[BEGIN]);
		if (later(state, start) > 0) {
			return start - now + micros(2 * this.window - elapsed(start), start);
		}
		return (earlier(state, start) > 0) ? start - now + micros(this.window - elapsed(start), start) : 0;
	}

	private void store(long[] state, long begin, long earlier, long later) {
		state[SPENT] = earlier + later;
		state[LATER] = later;
		state[BEGIN] = begin;
	}

	/**
	 * Returns the ticks into a window after which the remaining share of the window
	 * before fits the room.
	 */
	private long shareAllows(long earlier, long room) {
		return (earlier == 0) ? 0 : Math.max(0, this.window - room * this.window / earlier);
	}

	/** Returns what is spent in the window before the one of a time. */
	private long earlier(long[] state, long time) {
		long begin = begin(time);
		if (state[BEGIN] == begin) {
			return state[SPENT] - state[LATER];
		}
		return (state[BEGIN] == begin - length()) ? state[LATER] : 0;
	}

	/** Returns what is spent in the window of a time. */
	private long later(long[] state, long time) {
		return (state[BEGIN] == begin(time)) ? state[LATER] : 0;
	}

	private long length() {
		return this.window * this.tick;
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
		return rate.permits() <= Bounds.LARGEST / (rate.periodMicros() / tick);
	}

}
