package io.github.ratelimit.algorithm;

import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LimitTests {

	@ParameterizedTest
	@EnumSource
	void isAValue(Algorithm algorithm) {
		Limit limit = Limit.of(algorithm, Rate.parse("10/1s"));
		assertThat(limit).isEqualTo(Limit.of(algorithm, Rate.parse("10/1s")))
			.hasSameHashCodeAs(Limit.of(algorithm, Rate.parse("10/1s")))
			.isNotEqualTo(Limit.of(algorithm, Rate.parse("10/2s")))
			.hasToString("10/1s");
	}

	@Test
	void hasABurstOfOnePeriodUnlessSaidOtherwise() {
		Limit limit = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("10/1s"));
		assertThat(limit.burst()).isEqualTo(10);
		assertThat(limit.withBurst(3).burst()).isEqualTo(3);
		assertThat(limit).isNotEqualTo(limit.withBurst(3));
	}

	@Test
	void hasABurstOfOneInALeakyBucket() {
		assertThat(Limit.of(Algorithm.LEAKY_BUCKET, Rate.parse("10/1s")).burst()).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW_COUNTER", "SLIDING_WINDOW_LOG" })
	void refusesABurstWhereThereIsNone(Algorithm algorithm) {
		Limit limit = Limit.of(algorithm, Rate.parse("10/1s"));
		assertThat(limit.withBurst(10)).isEqualTo(limit);
		assertThatIllegalArgumentException().isThrownBy(() -> limit.withBurst(20))
			.withMessage("a " + algorithm.id() + " has no burst other than the permits of its limit");
	}

	@Test
	void refusesABurstBelowOne() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("10/1s")).withBurst(0))
			.withMessage("burst must be at least 1, was 0");
	}

	@Test
	void refusesWhatCannotBeCountedExactly() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("1/366d")).withBurst(1L << 52))
			.withMessageContaining("too large to be counted exactly");
	}

	@ParameterizedTest
	@EnumSource
	void hasALuaFormOfPlainAscii(Algorithm algorithm) {
		assertThat(algorithm.lua()).contains("rules['" + algorithm.rule() + "']").isASCII();
	}

	@ParameterizedTest
	@EnumSource
	void handsTheLuaFormNumbersItCanHold(Algorithm algorithm) {
		for (String rate : new String[] { "300000/1s", "1/30d", "1234567/30d", "999999999/1s" }) {
			long[] arguments = Limit.of(algorithm, Rate.parse(rate)).formula().arguments();
			assertThat(arguments).hasSize(Formula.ARGUMENTS);
			assertThat(LongStream.of(arguments)).allMatch((number) -> number >= 0 && number <= 1L << 53);
		}
	}

}
