package io.github.ratelimit.algorithm;

import java.util.concurrent.TimeUnit;

/**
 * Where the windows of a {@link FixedWindow} begin and end. Times are microseconds since
 * 1970.
 */
interface Windows {

	/** The length of every window; 0 where the calendar gives each its own. */
	long length();

	/** When the window begins that ends at a time. */
	long begin(long end);

	/** When the window ends that a time is in, or that begins with it. */
	long end(long time);

	/** Whether a window that is in use now, or waited for, may end at a time. */
	boolean mayEnd(long end, long now);

	/** For how long a call may wait in line for a window. */
	long longestWait();

	/** Windows that begin with the first charge after the last one ended. */
	static Windows fromFirstCharge(long length) {
		return new FromFirstCharge(length);
	}

	/** Windows of the calendar. */
	static Windows aligned(Alignment alignment) {
		return new Aligned(alignment);
	}

	/**
	 * Windows that begin with the first charge after the last one ended.
	 *
	 * @param length of each
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
		public boolean mayEnd(long end, long now) {
			return true;
		}

		@Override
		public long longestWait() {
			return Formula.LONGEST_WAIT;
		}

	}

	/**
	 * Windows of the calendar.
	 *
	 * @param alignment what they begin with
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

		/** One that ends later was meant by another clock, or another calendar. */
		@Override
		public boolean mayEnd(long end, long now) {
			long current = end(now);
			return end <= current || end == end(current);
		}

		/** So that no more than two windows are in use at a time. */
		@Override
		public long longestWait() {
			return TimeUnit.MICROSECONDS.convert(this.alignment.unit().period()) / 2;
		}

	}

}
