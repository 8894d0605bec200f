package io.github.ratelimit.algorithm;

import java.util.ArrayList;
import java.util.List;

/**
 * A bucket whose refunds are exact: it replays all charges at the costs that are left of
 * them. For limits that count in microseconds.
 */
public final class ReplayedBucket {

	private final List<Charge> charges = new ArrayList<>();

	private final long began;

	private final long unit;

	private final long refill;

	/**
	 * Creates a full bucket.
	 * @param limit a token bucket
	 * @param now the time
	 */
	public ReplayedBucket(Limit limit, long now) {
		this.began = now;
		long[] arguments = limit.formula().arguments(now);
		this.unit = arguments[1];
		this.refill = arguments[2];
	}

	/**
	 * Charges permits, whether or not they fit.
	 * @param now the time, not before that of another charge
	 * @param cost permits
	 * @return the charge, to be refunded
	 */
	public Charge charge(long now, long cost) {
		Charge charge = new Charge(now, cost);
		this.charges.add(charge);
		return charge;
	}

	/** Returns what is spent, in parts. */
	long spent(long now) {
		long spent = 0;
		long at = this.began;
		for (Charge charge : this.charges) {
			spent = Math.max(0, spent - (charge.time - at) * this.refill) + charge.cost * this.unit;
			at = charge.time;
		}
		return Math.max(0, spent - (now - at) * this.refill);
	}

	/**
	 * Returns the time until nothing is spent.
	 * @param now the time
	 * @return microseconds
	 */
	public long resetAfter(long now) {
		return Gcra.ceilDiv(spent(now), this.refill);
	}

	/** A charge, of which a part may have been refunded. */
	public static final class Charge {

		private final long time;

		private long cost;

		Charge(long time, long cost) {
			this.time = time;
			this.cost = cost;
		}

		/**
		 * Returns when it was charged.
		 * @return the time in microseconds
		 */
		public long time() {
			return this.time;
		}

		/**
		 * Returns what it costs.
		 * @return permits, without those refunded
		 */
		public long cost() {
			return this.cost;
		}

		/**
		 * Refunds permits, as if they had never been charged.
		 * @param permits at most its cost
		 */
		public void refund(long permits) {
			this.cost -= permits;
		}

	}

}
