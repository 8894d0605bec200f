package io.github.ratelimit.algorithm;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.store.PermitRequest;

/**
 * A sliding window log. Every charge of the last period counts in full, and none
 * overtakes another that waits for its turn.
 */
final class SlidingWindowLogDefinition extends Definition {

	private final Limit limit;

	private final List<Charge> charges = new ArrayList<>();

	private long last;

	SlidingWindowLogDefinition(Limit limit) {
		this.limit = limit;
	}

	@Override
	public long mostIn(long micros) {
		return this.limit.rate().permits() * periods(micros, this.limit.rate().periodMicros());
	}

	@Override
	boolean tryContinue(Definition count) {
		if (!(count instanceof SlidingWindowLogDefinition log)) {
			return false;
		}
		this.charges.addAll(log.charges);
		this.last = log.last;
		return true;
	}

	@Override
	long spentPermits(long changedAt) {
		return spent(changedAt);
	}

	@Override
	long lastTurn(long changedAt) {
		return Math.max(changedAt, this.last);
	}

	@Override
	void convert(long spent, long since, long now) {
		charge(now, now, (since > now) ? Math.max(spent, this.limit.rate().permits()) : spent);
	}

	@Override
	boolean admits(long time, long cost) {
		return time >= this.last && spent(time) + cost <= this.limit.rate().permits();
	}

	@Override
	void charge(long now, long time, long cost) {
		this.last = Math.max(this.last, time);
		this.charges.add(new Charge(this.last, cost));
	}

	/** Returns the turn, the only time that an entry has. */
	@Override
	long madeAt(PermitRequest permit) {
		return permit.turnMicros();
	}

	@Override
	void refund(long now, long cost, long turn) {
		long left = (turn > now - this.limit.rate().periodMicros()) ? cost : 0;
		for (int index = 0; index < this.charges.size(); index++) {
			Charge charge = this.charges.get(index);
			if (charge.time() == turn) {
				long refunded = Math.min(left, charge.cost());
				left -= refunded;
				this.charges.set(index, new Charge(turn, charge.cost() - refunded));
			}
		}
	}

	/** Allows the log to be kept for longer than necessary after a refund. */
	@Override
	boolean isAsNew(long now, long time) {
		return spent(now) == 0 || time >= this.last + this.limit.rate().periodMicros();
	}

	@Override
	void clear() {
		this.charges.clear();
		this.last = 0;
	}

	private long spent(long time) {
		long since = time - this.limit.rate().periodMicros();
		return this.charges.stream().filter((charge) -> charge.time() > since).mapToLong(Charge::cost).sum();
	}

	private record Charge(long time, long cost) {

	}

}
