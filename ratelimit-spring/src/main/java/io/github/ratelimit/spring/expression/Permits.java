package io.github.ratelimit.spring.expression;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * A conversion of numbers to whole permits, rounded up. It checks sign and magnitude
 * first, so that no number takes long, however large or small. Numbers above
 * {@link Long#MAX_VALUE} become that, which is more than any limit admits.
 */
final class Permits {

	private static final double BITS_PER_DIGIT = Math.log(10) / Math.log(2);

	/**
	 * The digits of the largest {@code long}, and one more for the error of estimates.
	 */
	private static final int TOO_MANY_DIGITS = 20;

	private static final int MOST_BITS_SHOWN = 128;

	private Permits() {
	}

	/**
	 * Returns a number as permits. Throws IllegalArgumentException if it is negative or
	 * NaN.
	 */
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
			boolean isShort = number.unscaledValue().bitLength() <= MOST_BITS_SHOWN;
			throw new IllegalArgumentException("must not be negative" + (isShort ? ", was " + number : ""));
		}
		return 0;
	}

}
