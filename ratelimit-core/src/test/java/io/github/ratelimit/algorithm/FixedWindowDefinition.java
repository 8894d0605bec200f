package io.github.ratelimit.algorithm;

/**
 * A window that begins with the first charge after the last one. One that has not begun
 * yet, as the clock stepped back, begins now.
 */
final class FixedWindowDefinition extends Definition {

	private final Limit limit;

	private long begin = Long.MIN_VALUE / 2;

	private long spent;

	FixedWindowDefinition(Limit limit) {
		this.limit = limit;
	}

	@Override
	boolean admits(long time, long cost) {
		return (isAsNew(time) ? 0 : this.spent) + cost <= this.limit.rate().permits();
	}

	@Override
	void charge(long now, long cost) {
		if (isAsNew(now)) {
			this.begin = now;
			this.spent = 0;
		}
		this.spent += cost;
	}

	@Override
	boolean isAsNew(long time) {
		return time >= this.begin + this.limit.rate().periodMicros();
	}

	@Override
	void rewind(long now) {
		this.begin = Math.min(this.begin, now);
	}

}
