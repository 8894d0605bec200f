package io.github.ratelimit.algorithm;

import java.util.ArrayList;
import java.util.List;

/**
 * Every charge of the last period counts in full. One that is yet to come, as the clock
 * stepped back, is taken for one of now; one that had left the period when another came
 * is gone for good.
 */
final class SlidingWindowLogDefinition extends Definition {

	private final Limit limit;

	private final List<Charge> charges = new ArrayList<>();

	SlidingWindowLogDefinition(Limit limit) {
		this.limit = limit;
	}

	@Override
	boolean admits(long time, long cost) {
		return spent(time) + cost <= this.limit.rate().permits();
	}

	@Override
	void charge(long now, long cost) {
		forget(now);
		this.charges.add(new Charge(now, cost));
	}

	@Override
	boolean isAsNew(long time) {
		return spent(time) == 0;
	}

	@Override
	void rewind(long now) {
		if (this.charges.stream().anyMatch((charge) -> charge.time() > now)) {
			forget(now);
			this.charges.replaceAll((charge) -> new Charge(Math.min(charge.time(), now), charge.cost()));
		}
	}

	private void forget(long now) {
		this.charges.removeIf((charge) -> charge.time() <= now - this.limit.rate().periodMicros());
	}

	private long spent(long time) {
		long since = time - this.limit.rate().periodMicros();
		return this.charges.stream().filter((charge) -> charge.time() > since).mapToLong(Charge::cost).sum();
	}

	private record Charge(long time, long cost) {

	}

}
