package io.github.ratelimit.algorithm;

import java.util.ArrayList;
import java.util.List;

/**
 * A concurrency limit. Every charge counts until it is refunded or its lease has ended, a
 * period after its grain.
 */
final class ConcurrencyDefinition extends Definition {

	private final Limit limit;

	private final List<Charge> charges = new ArrayList<>();

	private long changedAt;

	ConcurrencyDefinition(Limit limit) {
		this.limit = limit;
	}

	@Override
	public long mostIn(long micros) {
		return this.limit.rate().permits() * periods(micros, this.limit.rate().periodMicros());
	}

	@Override
	boolean followsClock() {
		return true;
	}

	@Override
	boolean clamp(long now) {
		boolean stepped = now < this.changedAt;
		if (stepped) {
			this.charges.replaceAll((charge) -> new Charge(Math.min(charge.time(), grain(now)), charge.cost()));
			dropEnded(now);
		}
		return stepped;
	}

	@Override
	boolean tryContinue(Definition count) {
		if (!(count instanceof ConcurrencyDefinition held)) {
			return false;
		}
		this.charges.addAll(held.charges);
		this.changedAt = held.changedAt;
		return true;
	}

	@Override
	long spentPermits(long changedAt) {
		return held(changedAt);
	}

	@Override
	void convert(long spent, long since, long now) {
		throw new UnsupportedOperationException("Rates and limits on concurrency have separate counts");
	}

	@Override
	boolean admits(long time, long cost) {
		return held(time) + cost <= this.limit.rate().permits();
	}

	@Override
	void charge(long now, long time, long cost) {
		dropEnded(now);
		this.charges.add(new Charge(grain(time), cost));
	}

	@Override
	void refund(long now, long cost, long chargedAt) {
		dropEnded(now);
		long left = cost;
		for (int index = 0; index < this.charges.size(); index++) {
			Charge charge = this.charges.get(index);
			if (charge.time() == grain(chargedAt)) {
				long refunded = Math.min(left, charge.cost());
				left -= refunded;
				this.charges.set(index, new Charge(charge.time(), charge.cost() - refunded));
			}
		}
	}

	@Override
	long renew(long now, long cost, long chargedAt) {
		long before = held(now);
		refund(now, cost, chargedAt);
		long renewed = before - held(now);
		charge(now, now, renewed);
		return renewed;
	}

	@Override
	boolean isAsNew(long now, long time) {
		return held(time) == 0;
	}

	@Override
	void clear() {
		this.charges.clear();
	}

	/** Drops charges for good, even if the clock steps back afterwards. */
	private void dropEnded(long now) {
		this.changedAt = now;
		this.charges.removeIf((charge) -> !isLive(charge, now));
	}

	private long held(long time) {
		return this.charges.stream().filter((charge) -> isLive(charge, time)).mapToLong(Charge::cost).sum();
	}

	private boolean isLive(Charge charge, long time) {
		return charge.time() > time - this.limit.rate().periodMicros();
	}

	/** Rounds up to a hundredth of the lease. */
	private long grain(long time) {
		long grain = Math.max(1, this.limit.rate().periodMicros() / 100);
		return (time + grain - 1) / grain * grain;
	}

	private record Charge(long time, long cost) {

	}

}
