package io.github.ratelimit.algorithm;

import java.util.concurrent.TimeUnit;

/**
 * The begin and end of the windows of a {@link FixedWindow}. Times are microseconds since
 * 1970.
 */
interface Windows {

	/** Returns the length of every window; 0 if it varies with the calendar. */
	long length();

	/** Returns when the window that ends at a time begins. */
	long begin(long end);

	/** Returns when the window ends that contains a time or begins with it. */
	long end(long time);

	/** Returns a turn, or the last time for which a window can be in use now. */
	long countable(long turn, long now);

	/** Returns whether a window that is in use now, or waited for, may end at a time. */
	boolean mayEnd(long end, long now);

	/** Returns the longest wait for a window. */
	long longestWait();

	/** Creates windows that begin with the first charge after the last one ended. */
	static Windows fromFirstCharge(long length) {
		return new FromFirstCharge(length);
	}

	/** Creates windows of the calendar. */
	static Windows aligned(Alignment alignment) {
		return new Aligned(alignment);
	}

	/**
	 * The windows that begin with the first charge after the last one ended.
	 *
	 * @param length the length of each
	 */
	record FromFirstCharge(long length) implements Windows {

		@Override
		public long begin(long end) {
			return end - this.length;
		}

		@Override
		public long end(long time) {
			return time + this.length;
		}

		@Override
		public long countable(long turn, long now) {
			return turn;
		}

		@Override
		public boolean mayEnd(long end, long now) {
			return true;
		}

		@Override
		public long longestWait() {
			return Bounds.LONGEST_WAIT;
		}

	}

	/**
	 * The windows of the calendar.
	 *
	 * @param alignment the unit and its time zone
	 */
	record Aligned(Alignment alignment) implements Windows {

		@Override
		public long length() {
			return 0;
		}

		@Override
		public long begin(long end) {
			return this.alignment.begin(end - 1);
		}

		@Override
		public long end(long time) {
			return this.alignment.end(time);
		}

		/** Returns at most the last time of the next window. */
		@Override
		public long countable(long turn, long now) {
			return (turn == now) ? now : Math.min(turn, end(end(now)) - 1);
		}

		/** Rejects a later end: it belongs to another clock, or another calendar. */
		@Override
		public boolean mayEnd(long end, long now) {
			long current = end(now);
			return end <= current || end == end(current);
		}

		/** Returns half a period, so that at most two windows are in use at a time. */
		@Override
		public long longestWait() {
			return TimeUnit.MICROSECONDS.convert(this.alignment.unit().period()) / 2;
		}

	}

}
