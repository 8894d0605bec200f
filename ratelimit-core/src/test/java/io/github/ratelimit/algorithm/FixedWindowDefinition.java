package io.github.ratelimit.algorithm;

import java.util.Objects;

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
	boolean tryContinue(Definition count) {
		if (!(count instanceof FixedWindowDefinition window) || !Objects.equals(window.alignment, this.alignment)) {
			return false;
		}
		this.begin = window.begin;
		this.end = window.end;
		this.spent = window.spent;
		return true;
	}

	@Override
	long spentPermits(long changedAt) {
		return this.spent;
	}

	@Override
	long lastTurn(long changedAt) {
		return Math.max(changedAt, this.begin);
	}

	@Override
	void convert(long spent, long since, long now) {
		long counted = (since > now) ? Math.max(spent, this.permits) : spent;
		if (counted > 0) {
			charge(now, now, counted);
		}
	}

	@Override
	boolean admits(long time, long cost) {
		return time >= this.begin && ((time >= this.end) ? 0 : this.spent) + cost <= this.permits;
	}

	/** Counts a turn after the next window of the calendar as the last one in it. */
	@Override
	void charge(long now, long time, long cost) {
		Alignment calendar = this.alignment;
		long turn = (calendar != null) ? Math.min(time, calendar.end(calendar.end(now)) - 1) : time;
		if (turn >= this.end) {
			this.begin = (calendar != null) ? calendar.begin(turn) : turn;
			this.end = (calendar != null) ? calendar.end(turn) : turn + this.period;
			this.spent = 0;
		}
		this.spent += cost;
	}

	@Override
	void refund(long now, long cost, long turn) {
		if (turn >= this.begin && now < this.end) {
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
