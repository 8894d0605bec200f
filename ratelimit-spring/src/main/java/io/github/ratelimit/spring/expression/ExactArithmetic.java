package io.github.ratelimit.spring.expression;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import org.springframework.expression.Operation;

/**
 * Arithmetic on whole and decimal numbers that never overflows. A result that does not
 * fit the type of its operands has a wider one. Divisions of decimal numbers keep 34
 * digits. Numbers that would take long to compute are rejected.
 */
final class ExactArithmetic {

	/** The most bits of an operand or a power, about 1,200 digits. */
	private static final int MOST_BITS = 4096;

	private static final int BITS_PER_DIGIT = 4;

	private ExactArithmetic() {
	}

	/** Returns whether a number has exact arithmetic. SpEL computes floating point. */
	static boolean isExact(Number number) {
		return isWhole(number) || number instanceof BigDecimal;
	}

	/**
	 * Returns a result. Throws ArithmeticException without one, or if it takes too long.
	 */
	static Number apply(Operation operation, Number left, Number right) {
		return (left instanceof BigDecimal || right instanceof BigDecimal)
				? decimal(operation, decimal(left), decimal(right))
				: narrowed(whole(operation, whole(left), whole(right)), left, right);
	}

	private static BigInteger whole(Operation operation, BigInteger left, BigInteger right) {
		requireShort(left);
		requireShort(right);
		return switch (operation) {
			case ADD -> left.add(right);
			case SUBTRACT -> left.subtract(right);
			case MULTIPLY -> left.multiply(right);
			case DIVIDE -> left.divide(right);
			case MODULUS -> left.remainder(right);
			case POWER -> left.pow(exponent(left, right.intValueExact()));
		};
	}

	private static BigDecimal decimal(Operation operation, BigDecimal left, BigDecimal right) {
		requireShort(left.unscaledValue());
		requireShort(right.unscaledValue());
		return switch (operation) {
			case ADD -> aligned(left).add(aligned(right));
			case SUBTRACT -> aligned(left).subtract(aligned(right));
			case MULTIPLY -> left.multiply(right);
			case DIVIDE -> left.divide(right, MathContext.DECIMAL128);
			case MODULUS -> aligned(left).remainder(aligned(right));
			case POWER -> left.pow(exponent(left.unscaledValue(), right.intValueExact()));
		};
	}

	/** Returns a result in the type that SpEL would choose, or the next that fits. */
	private static Number narrowed(BigInteger result, Number left, Number right) {
		int bits = result.bitLength();
		if (bits < Integer.SIZE && isAtMostInt(left) && isAtMostInt(right)) {
			return result.intValue();
		}
		boolean fits = bits < Long.SIZE && !(left instanceof BigInteger) && !(right instanceof BigInteger);
		return fits ? (Number) result.longValue() : result;
	}

	private static int exponent(BigInteger base, int exponent) {
		if (exponent < 0 || (base.abs().bitLength() - 1L) * exponent > MOST_BITS) {
			throw new ArithmeticException("a power cannot be worked out exactly");
		}
		return exponent;
	}

	private static void requireShort(BigInteger number) {
		if (number.bitLength() > MOST_BITS) {
			throw new ArithmeticException("a number has too many digits");
		}
	}

	/** Returns a decimal number that can be written out. */
	private static BigDecimal aligned(BigDecimal number) {
		if (Math.abs((long) number.scale()) * BITS_PER_DIGIT > MOST_BITS) {
			throw new ArithmeticException("a number has too many digits");
		}
		return number;
	}

	private static boolean isWhole(Number number) {
		return isAtMostInt(number) || number instanceof Long || number instanceof BigInteger
				|| number instanceof AtomicLong || number instanceof LongAdder;
	}

	private static boolean isAtMostInt(Number number) {
		return number instanceof Integer || number instanceof Short || number instanceof Byte
				|| number instanceof AtomicInteger;
	}

	private static BigInteger whole(Number number) {
		return (number instanceof BigInteger whole) ? whole : BigInteger.valueOf(number.longValue());
	}

	/** Returns a decimal number. Throws NumberFormatException if it is not finite. */
	private static BigDecimal decimal(Number number) {
		return (number instanceof BigDecimal decimal) ? decimal : isWhole(number) ? new BigDecimal(whole(number))
				: new BigDecimal(Double.toString(number.doubleValue()));
	}

}
