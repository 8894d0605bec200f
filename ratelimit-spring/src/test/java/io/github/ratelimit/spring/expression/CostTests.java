package io.github.ratelimit.spring.expression;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.InvalidCostException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

@Timeout(value = 2, threadMode = Timeout.ThreadMode.SEPARATE_THREAD, unit = TimeUnit.SECONDS)
class CostTests {

	private static final String DIGITS = "9".repeat(10_000);

	static Stream<Arguments> numbers() {
		return Stream.of(arguments(0, 0), arguments(-0.0, 0), arguments(0.01f, 1), arguments(2.0, 2),
				arguments(2.0000001, 3), arguments((short) 7, 7), arguments(new AtomicLong(8), 8),
				arguments(Long.MAX_VALUE - 1, Long.MAX_VALUE - 1), arguments(1e308, Long.MAX_VALUE),
				arguments(Double.POSITIVE_INFINITY, Long.MAX_VALUE), arguments(Float.MAX_VALUE, Long.MAX_VALUE),
				arguments(BigInteger.TWO.pow(63).subtract(BigInteger.ONE), Long.MAX_VALUE),
				arguments(BigInteger.TWO.pow(63), Long.MAX_VALUE), arguments(new BigInteger(DIGITS), Long.MAX_VALUE),
				arguments(new BigDecimal("0E+2000000000"), 0),
				arguments(new BigDecimal("1E+2000000000"), Long.MAX_VALUE),
				arguments(new BigDecimal("1E-2000000000"), 1), arguments(new BigDecimal("1E+5000000"), Long.MAX_VALUE),
				arguments(new BigDecimal("9223372036854775807"), Long.MAX_VALUE),
				arguments(new BigDecimal("9223372036854775806.000"), Long.MAX_VALUE - 1),
				arguments(new BigDecimal("9223372036854775807.1"), Long.MAX_VALUE),
				arguments(new BigDecimal("1E+18"), 1_000_000_000_000_000_000L),
				arguments(new BigDecimal("1E+19"), Long.MAX_VALUE), arguments(new BigDecimal("41." + DIGITS), 42),
				arguments(new BigDecimal("0." + DIGITS), 1), arguments(new BigDecimal("0.1"), 1),
				arguments(new BigDecimal("1.0"), 1), arguments(new BigDecimal("12.50"), 13));
	}

	@ParameterizedTest
	@MethodSource("numbers")
	void isRoundedUpToWholePermits(Number number, long permits) {
		assertThat(cost("#n", number)).isEqualTo(permits);
	}

	static Stream<Object> mistakes() {
		return Stream.of(-1, -0.01, -0.99f, Long.MIN_VALUE, Double.NaN, Float.NaN, Double.NEGATIVE_INFINITY,
				new BigDecimal("-1E-2000000000"), new BigDecimal("-1E+2000000000"), new BigDecimal("-0.01"),
				new BigInteger("-" + DIGITS), "5", true, 'a', List.of(1));
	}

	@ParameterizedTest
	@MethodSource("mistakes")
	void isNoneWhereItIsNegativeOrNoNumber(Object value) {
		assertInvalid("#n", value);
	}

	@Test
	void isNoneWhereThereIsNoValue() {
		assertInvalid("#n", null);
		assertInvalid("#n.foo", 1);
		assertInvalid("1 / #n", 0);
		assertInvalid("#n.transform(null)", "a method that throws");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#n + 1", "#n - 1", "#n % 3", "1 + #n", "#n ^ 1000", "(#n + 1) / 2", "{#n + 1, 2}[0]" })
	void isNoneWhereArithmeticWouldTakeLong(String text) {
		assertInvalid(text, new BigDecimal("1E+5000000"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "#n * 2", "#n / 1024", "#n / 1024.0", "1024 * #n", "#n ^ 2" })
	void isBeyondAllNumbersWhereThatIsKnownAtOnce(String text) {
		assertThat(cost(text, new BigDecimal("1E+5000000"))).isEqualTo(Long.MAX_VALUE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "#n / 1024", "#n / 1024.0", "#n * 0.001", "#n ^ 3" })
	void isAtLeastOneForASmallDecimalNumber(String text) {
		assertThat(cost(text, new BigDecimal("0.5"))).isOne();
	}

	@Test
	void isExactWithinASelection() {
		assertThat(cost("#n.?[#this * 2 > 0].size()", List.of(Integer.MAX_VALUE, -1))).isOne();
	}

	@Test
	void namesPolicyAndMethodAndNoLongNumber() {
		assertThatExceptionOfType(InvalidCostException.class).isThrownBy(() -> cost("#n", new BigInteger("-" + DIGITS)))
			.withMessage("Policy 'uploads' cannot charge CostTests.upload(): the cost '#n' must not be negative")
			.satisfies((ex) -> assertThat(ex.getPolicy()).isEqualTo("uploads"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "-1", "'a'", "0 - 1", "1 / 0" })
	void stopsTheStartUpWhereItCanBeNoneForAnyCall(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> parse(text))
			.satisfies((ex) -> assertThat(ex).isNotInstanceOf(InvalidCostException.class));
	}

	private static void assertInvalid(String text, @Nullable Object value) {
		assertThatExceptionOfType(InvalidCostException.class).isThrownBy(() -> cost(text, value));
	}

	private static long cost(String text, @Nullable Object value) {
		return parse(text).applyAsLong(new CallContext(Caller.NONE, Collections.singletonMap("n", value)));
	}

	private static CostExpression parse(String text) {
		return CostExpression.parse(text, ExpressionScope.of((call) -> null).withArguments(Map.of("n", Object.class)),
				"uploads", "CostTests.upload()");
	}

}
