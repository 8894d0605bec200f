package io.github.ratelimit.spring.method;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * Numbers as whole permits, rounded up. Sign and magnitude come first, so that no number
 * takes long, however large or small. Those above {@link Long#MAX_VALUE} are that, which
 * is more than any limit admits.
 */
final class Permits {

	private static final double BITS_PER_DIGIT = Math.log(10) / Math.log(2);

	/** One more than the digits of any {@code long}, as estimates may be wrong by one. */
	private static final int TOO_MANY_DIGITS = 20;

	private static final int MOST_BITS_TOLD = 128;

	private Permits() {
	}

	/** Throws IllegalArgumentException where a number is negative or not a number. */
	static long of(Number number) {
		if (number instanceof BigDecimal decimal) {
			return of(decimal);
		}
		if (number instanceof BigInteger whole) {
			return of(new BigDecimal(whole));
		}
		double value = number.doubleValue();
		if (Double.isNaN(value)) {
			throw new IllegalArgumentException("must be a number, was NaN");
		}
		if (value < 0) {
			throw new IllegalArgumentException("must not be negative, was " + number);
		}
		return (number instanceof Long whole) ? whole : (long) Math.ceil(value);
	}

	private static long of(BigDecimal number) {
		if (number.signum() <= 0) {
			return zero(number);
		}
		double digits = number.unscaledValue().bitLength() / BITS_PER_DIGIT - number.scale();
		if (digits < -1) {
			return 1;
		}
		BigInteger whole = (digits < TOO_MANY_DIGITS) ? number.setScale(0, RoundingMode.CEILING).unscaledValue() : null;
		return (whole != null && whole.bitLength() < Long.SIZE) ? whole.longValue() : Long.MAX_VALUE;
	}

	private static long zero(BigDecimal number) {
		if (number.signum() < 0) {
			boolean isShort = number.unscaledValue().bitLength() <= MOST_BITS_TOLD;
			throw new IllegalArgumentException("must not be negative" + (isShort ? ", was " + number : ""));
		}
		return 0;
	}

}
