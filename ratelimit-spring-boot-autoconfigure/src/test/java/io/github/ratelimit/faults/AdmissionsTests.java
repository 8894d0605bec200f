package io.github.ratelimit.faults;

import java.util.stream.LongStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The check of what was admitted sees one call too many, and what was withheld.
 */
class AdmissionsTests {

	private static final long BEGIN = 1_790_000_000_000_000L;

	@ParameterizedTest
	@EnumSource
	void seesOneCallTooMany(Algorithm algorithm) {
		Limit limit = Limit.of(algorithm, Rate.parse("10/1s"));
		assertThat(atOnce(limit, limit.burst()).undue()).isZero();
		assertThat(atOnce(limit, limit.burst() + 1).undue()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void seesAPeriodAboveTheBound(Algorithm algorithm) {
		Limit limit = Limit.of(algorithm, Rate.parse("10/1s"));
		long bound = atOnce(limit, 1).bound();
		assertThat(atOnce(limit, bound + 1).mostInAPeriod()).isGreaterThan(bound);
	}

	@Test
	void countsAPeriodWithoutItsEnd() {
		Limit limit = Limit.of(Algorithm.SLIDING_WINDOW_LOG, Rate.parse("1/1s"));
		assertThat(Admissions.of(limit, LongStream.of(BEGIN + 1_000_000, BEGIN)).mostInAPeriod()).isOne();
		assertThat(Admissions.of(limit, LongStream.of(BEGIN + 999_999, BEGIN)).mostInAPeriod()).isEqualTo(2);
	}

	@Test
	void seesWhatWasWithheld() {
		Limit limit = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("10/1s"));
		LongStream half = LongStream.range(0, 50).map((call) -> BEGIN + call * 200_000);
		Admissions admissions = Admissions.of(limit, half);
		assertThat(admissions.partOfTheRate()).isBetween(0.5, 0.52);
		assertThat(admissions.missing()).isEqualTo(10 + 98 - 50);
	}

	private static Admissions atOnce(Limit limit, long calls) {
		return Admissions.of(limit, LongStream.generate(() -> BEGIN).limit(calls));
	}

}
