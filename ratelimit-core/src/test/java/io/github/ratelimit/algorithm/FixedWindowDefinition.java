package io.github.ratelimit.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * A fixed window that begins with the first charge after the last one, or is one of the
 * calendar.
 */
final class FixedWindowDefinition extends Definition {

	private final long permits;

	private final long period;

	private final @Nullable Alignment alignment;

	private long begin;

	private long end;

	private long spent;

	FixedWindowDefinition(Limit limit) {
		this.permits = limit.rate().permits();
		this.period = limit.rate().periodMicros();
		this.alignment = limit.alignment();
	}

	/**
	 * Returns the permits of a window that began earlier, with a permit, and of others.
	 */
	@Override
	public long mostIn(long micros) {
		return this.permits * (periods(micros, this.period) + 1) - 1;
	}

	@Override
	public long edge() {
		return this.permits;
	}

	@Override
	boolean followsClock() {
		return this.alignment != null;
	}

	@Override
	boolean adopt(long now) {
		if (this.alignment == null || this.end <= this.alignment.end(this.alignment.end(now))) {
			return false;
		}
		this.begin = (this.spent > 0) ? this.alignment.begin(now) : 0;
		this.end = (this.spent > 0) ? this.alignment.end(now) : 0;
		return true;
	}

	@Override
	boolean admits(long time, long cost) {
		return time >= this.begin && ((time >= this.end) ? 0 : this.spent) + cost <= this.permits;
	}

	@Override
	void charge(long now, long time, long cost) {
		if (time >= this.end) {
			this.begin = (this.alignment != null) ? this.alignment.begin(time) : time;
			this.end = (this.alignment != null) ? this.alignment.end(time) : time + this.period;
			this.spent = 0;
		}
		this.spent += cost;
	}

	@Override
	void refund(long now, long cost, long chargedAt) {
		if (chargedAt >= this.begin && now < this.end) {
			this.spent = Math.max(0, this.spent - cost);
		}
	}

	@Override
	boolean isAsNew(long now, long time) {
		return time >= this.end;
	}

	@Override
	void clear() {
		this.begin = 0;
		this.end = 0;
		this.spent = 0;
	}

}
