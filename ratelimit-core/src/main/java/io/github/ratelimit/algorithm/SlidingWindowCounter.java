package io.github.ratelimit.algorithm;

import java.util.Objects;

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

	static final Rule RULE = new Rule("sliding-window-counter", "c");

	private static final int LATER = 2;

	private static final int BEGIN = 3;

	private static final int BEGAN = 4;

	/** The most that is counted in one window. */
	private static final long MOST = Bounds.LARGEST / 2;

	private final long permits;

	/** The length of a window in ticks. */
	private final long window;

	private final long tick;

	private final long[] arguments;

	SlidingWindowCounter(Rate rate) {
		this.permits = rate.permits();
		this.tick = Ticks.finest(rate, (tick) -> isCountable(rate, tick))
			.orElseThrow(() -> new IllegalArgumentException(
					rate + " is too large to be counted exactly: use a shorter period or fewer permits"));
		this.window = rate.periodMicros() / this.tick;
		this.arguments = new long[] { this.permits, this.window, this.tick, 0 };
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
		long counted = Math.min(MOST, (since > now) ? Math.max(spent, this.permits) : spent);
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
		return start - now + waitAt(start, earlier(state, start), later(state, start), cost);
	}

	private long waitAt(long start, long earlier, long later, long cost) {
		long elapsed = elapsed(start);
		long ticks = (later + cost <= this.permits)
				? Math.max(0, shareAllows(earlier, this.permits - cost - later) - elapsed)
				: this.window - elapsed + shareAllows(later, this.permits - cost);
		return micros(ticks, start);
	}

	@Override
	public long turn(long now, long wait, long latest) {
		return now + Math.max(wait, latest);
	}

	@Override
	public long[] take(long[] state, long now, long cost, long wait) {
		long turn = Math.max(now + wait, state[BEGIN]);
		long later = Math.min(MOST, later(state, turn) + Math.min(MOST, cost));
		store(state, begin(turn), earlier(state, turn), later);
		return state;
	}

	@Override
	public long[] refund(long[] state, long now, long cost, long chargedAt, long turn) {
		if (chargedAt < state[BEGAN]) {
			return state;
		}
		long earlier = state[SPENT] - state[LATER];
		if (begin(turn) == state[BEGIN]) {
			store(state, state[BEGIN], earlier, Math.max(0, state[LATER] - cost));
		}
		else if (begin(turn) == state[BEGIN] - length()) {
			store(state, state[BEGIN], Math.max(0, earlier - cost), state[LATER]);
		}
		return state;
	}

	@Override
	public long remaining(long[] state, long now) {
		return (state[BEGIN] > now) ? 0 : remainingAt(now, earlier(state, now), later(state, now));
	}

	private long remainingAt(long now, long earlier, long later) {
		long covered = Gcra.times(earlier, this.window - elapsed(now));
		return Math.max(0, Math.floorDiv(this.permits * this.window - covered, this.window) - later);
	}

	@Override
	public long resetAfter(long[] state, long now) {
		long start = Math.max(now, state[BEGIN]);
		long reset = resetAt(start, earlier(state, start), later(state, start));
		return Math.max(0, reset - now);
	}

	/** Returns the end of the last window that counts; 0 if none does. */
	private long resetAt(long start, long earlier, long later) {
		long windows = (later > 0) ? 2 : (earlier > 0) ? 1 : 0;
		return (windows == 0) ? 0 : begin(start) + windows * length();
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
		return rate.permits() <= Math.min(Bounds.MOST_PERMITS, Bounds.LARGEST / (rate.periodMicros() / tick));
	}

	@Override
	public @Nullable LongFormula longFormula() {
		int bits = Long.SIZE - Long.numberOfLeadingZeros(this.permits);
		return (2 * bits < Long.SIZE) ? new Packed(this, length(), bits) : null;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other || (other instanceof SlidingWindowCounter that && this.permits == that.permits
				&& this.window == that.window && this.tick == that.tick);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.permits, this.window, this.tick);
	}

	/**
	 * The formula on numbers: the number of the later window since the origin, then the
	 * permits spent in the earlier and in the later one.
	 *
	 * @param formula the formula on states
	 * @param length the length of a window
	 * @param bits the bits for the permits of a window
	 */
	private record Packed(SlidingWindowCounter formula, long length, int bits) implements LongFormula {

		@Override
		public long origin(long now) {
			return this.formula.begin(now);
		}

		@Override
		public long pack(long[] state, long origin) {
			return number((state[BEGIN] - origin) / this.length, state[SPENT] - state[LATER], state[LATER]);
		}

		@Override
		public long[] unpack(long number, long origin, long at, long began) {
			return new long[] { earlier(number) + later(number), 1, later(number), origin + begin(number), began };
		}

		@Override
		public long began(long[] state) {
			return state[BEGAN];
		}

		@Override
		public boolean isUnspent(long number, long now) {
			long spent = spent(number, start(number, now));
			return earlier(spent) + later(spent) == 0;
		}

		@Override
		public long waitFor(long number, long now, long cost) {
			long start = start(number, now);
			long spent = spent(number, start);
			return start - now + this.formula.waitAt(start, earlier(spent), later(spent), cost);
		}

		@Override
		public long charge(long number, long now, long cost, long wait) {
			long turn = start(number, now + wait);
			long spent = spent(number, turn);
			return number(turn / this.length, earlier(spent), later(spent) + cost);
		}

		@Override
		public long remaining(long number, long now) {
			long spent = spent(number, now);
			return (begin(number) > now) ? 0 : this.formula.remainingAt(now, earlier(spent), later(spent));
		}

		@Override
		public long resetAfter(long number, long now) {
			long start = start(number, now);
			long spent = spent(number, start);
			return Math.max(0, this.formula.resetAt(start, earlier(spent), later(spent)) - now);
		}

		/**
		 * Returns a number with the permits spent in the window of a time and the one
		 * before. The later window may not be after it.
		 */
		private long spent(long number, long time) {
			long windows = time / this.length - window(number);
			return (windows == 0) ? number : (windows == 1) ? later(number) << this.bits : 0;
		}

		private long number(long window, long earlier, long later) {
			long number = (window << this.bits | earlier) << this.bits | later;
			return (window(number) == window && earlier(number) == earlier && later(number) == later) ? number : UNFIT;
		}

		private long start(long number, long now) {
			return Math.max(now, begin(number));
		}

		private long begin(long number) {
			return window(number) * this.length;
		}

		private long window(long number) {
			return number >> (2 * this.bits);
		}

		private long earlier(long number) {
			return later(number >> this.bits);
		}

		private long later(long number) {
			return number & ((1L << this.bits) - 1);
		}

	}

}
