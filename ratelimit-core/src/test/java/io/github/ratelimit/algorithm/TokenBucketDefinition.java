package io.github.ratelimit.algorithm;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A bucket that refills evenly, in the largest parts of which a microsecond adds a whole
 * number. Its content is negative while calls wait or after charges that did not fit; but
 * no more is owed than the longest wait refills. A refund returns what still counts of a
 * charge, as far as the bucket knows what was spent since.
 */
final class TokenBucketDefinition extends Definition {

	private final Limit limit;

	private final BigInteger permit;

	private final BigInteger refill;

	private final BigInteger capacity;

	private BigInteger level;

	private long at;

	private @Nullable Lows lows;

	TokenBucketDefinition(Limit limit) {
		this.limit = limit;
		BigInteger period = BigInteger.valueOf(limit.rate().periodMicros());
		BigInteger permits = BigInteger.valueOf(limit.rate().permits());
		this.permit = period.divide(period.gcd(permits));
		this.refill = permits.divide(period.gcd(permits));
		this.capacity = this.permit.multiply(BigInteger.valueOf(limit.burst()));
		this.level = this.capacity;
	}

	/** Returns the burst and the refill, the last of which comes before the end. */
	@Override
	public long mostIn(long micros) {
		return this.limit.burst() + this.limit.rate().permits() * (micros - 1) / this.limit.rate().periodMicros();
	}

	@Override
	boolean admits(long time, long cost) {
		return level(time).compareTo(parts(cost)) >= 0;
	}

	@Override
	void charge(long now, long time, long cost) {
		advance(now);
		this.level = bounded(this.level.subtract(parts(cost)));
	}

	/** Returns a level that owes at most what the longest wait refills. */
	private BigInteger bounded(BigInteger level) {
		return level.max(this.refill.multiply(BigInteger.valueOf(Bounds.LONGEST_WAIT)).negate());
	}

	/** Rounds what is spent up to a part of this limit's permits. */
	@Override
	boolean tryContinue(Definition count) {
		if (!(count instanceof TokenBucketDefinition bucket)) {
			return false;
		}
		BigInteger spent = ceil(bucket.capacity.subtract(bucket.level).multiply(this.permit), bucket.permit);
		this.level = bounded(this.capacity.subtract(spent));
		this.at = bucket.at;
		boolean isSameUnit = this.permit.equals(bucket.permit);
		this.lows = (isSameUnit && bucket.lows != null) ? new Lows(bucket.lows) : null;
		return true;
	}

	@Override
	long spentPermits(long changedAt) {
		return ceil(this.capacity.subtract(this.level), this.permit).longValueExact();
	}

	/**
	 * Refills since the last change, as if all had been spent then, or after the turn of
	 * the last call that waits.
	 */
	@Override
	void convert(long spent, long since, long now) {
		BigInteger waiting = this.refill.multiply(BigInteger.valueOf(Math.max(0, since - now)));
		BigInteger spentThen = this.capacity.subtract(bounded(this.capacity.subtract(parts(spent))));
		BigInteger owed = (since > now) ? parts(spent).max(this.capacity).add(waiting) : left(spentThen, now - since);
		this.level = bounded(this.capacity.subtract(owed));
		this.at = now;
	}

	private static BigInteger ceil(BigInteger dividend, BigInteger divisor) {
		return dividend.add(divisor).subtract(BigInteger.ONE).divide(divisor);
	}

	@Override
	void refund(long now, long cost, long chargedAt) {
		advance(now);
		long from = Math.min(chargedAt, now);
		BigInteger unrefilled = left(parts(cost), now - from);
		boolean losesMuch = parts(cost).subtract(unrefilled).shiftLeft(4).compareTo(parts(cost)) > 0;
		if (losesMuch && (this.lows == null || this.lows.isUnfit(now, from))) {
			this.lows = new Lows(now, now - from);
		}
		else if (losesMuch && this.lows != null) {
			this.lows.use(now, from);
		}
		BigInteger known = (this.lows != null) ? this.lows.least(now, from, parts(cost)) : BigInteger.ZERO;
		BigInteger refunded = unrefilled.max(known).min(parts(cost)).min(this.capacity.subtract(this.level));
		this.level = this.level.add(refunded);
		if (this.lows != null) {
			this.lows.lower(now, from, refunded);
		}
	}

	/** Changes nothing, as another limit may let the bucket refill sooner. */
	@Override
	boolean isRewritten() {
		return false;
	}

	/** Lets the bucket refill. */
	private void advance(long now) {
		this.level = level(now);
		if (this.lows != null && !this.lows.advance(this.at, now, this.capacity.subtract(this.level))) {
			this.lows = null;
		}
		this.at = now;
	}

	/** Returns what is not refilled of some parts after a time. */
	private BigInteger left(BigInteger parts, long micros) {
		return parts.subtract(this.refill.multiply(BigInteger.valueOf(micros))).max(BigInteger.ZERO);
	}

	@Override
	boolean isAsNew(long now, long time) {
		return level(time).equals(this.capacity);
	}

	@Override
	void clear() {
		this.level = this.capacity;
		this.at = 0;
		this.lows = null;
	}

	private BigInteger level(long time) {
		BigInteger gained = this.refill.multiply(BigInteger.valueOf(time - this.at));
		return this.level.add(gained).min(this.capacity);
	}

	private BigInteger parts(long cost) {
		return this.permit.multiply(BigInteger.valueOf(cost));
	}

	/** The least that was spent in each of ten epochs, as far as it is known. */
	private final class Lows {

		private static final int EPOCHS = 10;

		private final Map<Long, BigInteger> least = new HashMap<>();

		private final BigInteger grain;

		private final long length;

		private long unused;

		/** Starts epochs, of which nine are as long as a time. */
		Lows(long now, long time) {
			int bits = Math.max(0, TokenBucketDefinition.this.capacity.bitLength() - 15);
			this.grain = BigInteger.ONE.shiftLeft(bits);
			long shortest = 4;
			int step = 0;
			while (9 * shortest < time) {
				step++;
				shortest = (4L + step % 4) * (1L << (step / 4));
			}
			this.length = shortest;
			this.least.put(epoch(now), BigInteger.ZERO);
		}

		/** Copies those of another limit, if they have the same grain. */
		Lows(Lows other) {
			int bits = Math.max(0, TokenBucketDefinition.this.capacity.bitLength() - 15);
			this.grain = BigInteger.ONE.shiftLeft(bits);
			this.length = other.length;
			this.unused = this.grain.equals(other.grain) ? other.unused : 2 * EPOCHS + 1;
			this.least.putAll(other.least);
		}

		/** Returns whether the epochs are too short, and of no use to other refunds. */
		boolean isUnfit(long now, long from) {
			boolean isBefore = epoch(now) - epoch(from) >= EPOCHS;
			return isBefore && (now - from <= 36 * this.length || this.unused > EPOCHS);
		}

		void use(long now, long from) {
			boolean isWithin = epoch(now) - epoch(from) < EPOCHS;
			this.unused = (isWithin && 4 * (now - from) > 9 * this.length) ? 0 : this.unused;
		}

		/** Notes what is spent now, and returns whether the epochs are still of use. */
		boolean advance(long at, long now, BigInteger spent) {
			BigInteger low = spent.divide(this.grain).min(BigInteger.valueOf(65_535));
			for (long epoch = Math.max(epoch(at), epoch(now) - EPOCHS) + 1; epoch <= epoch(now); epoch++) {
				this.least.put(epoch, low);
			}
			this.least.merge(epoch(now), low, (known, other) -> known.min(other));
			this.unused += epoch(now) - epoch(at);
			return this.unused <= 2 * EPOCHS;
		}

		BigInteger least(long now, long from, BigInteger parts) {
			if (epoch(now) - epoch(from) >= EPOCHS) {
				return BigInteger.ZERO;
			}
			long end = Math.min(now, (epoch(from) + 1) * this.length);
			BigInteger least = low(epoch(from)).max(left(parts, end - from));
			for (long epoch = epoch(from) + 1; epoch <= epoch(now); epoch++) {
				least = least.min(low(epoch));
			}
			return least;
		}

		void lower(long now, long from, BigInteger parts) {
			BigInteger grains = parts.add(this.grain).subtract(BigInteger.ONE).divide(this.grain);
			for (long epoch = Math.max(epoch(from), epoch(now) - EPOCHS + 1); epoch <= epoch(now); epoch++) {
				this.least.computeIfPresent(epoch, (same, low) -> low.subtract(grains).max(BigInteger.ZERO));
			}
		}

		private BigInteger low(long epoch) {
			return this.least.getOrDefault(epoch, BigInteger.ZERO).multiply(this.grain);
		}

		private long epoch(long time) {
			return time / this.length;
		}

	}

}
