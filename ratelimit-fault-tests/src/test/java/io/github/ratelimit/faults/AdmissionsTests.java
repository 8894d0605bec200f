package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.faults.Admissions.Stretch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The check of admissions, which finds one admission too many, a denial that is not due
 * and permits that were withheld.
 */
class AdmissionsTests {

	private static final long BEGIN = 1_790_000_000_000_000L;

	@ParameterizedTest
	@EnumSource
	void findsOneAdmissionTooMany(Algorithm algorithm) {
		Limit limit = Limit.of(algorithm, Rate.parse("10/1s"));
		assertThat(atOnce(limit, limit.burst()).undue()).isZero();
		assertThat(atOnce(limit, limit.burst() + 1).undue()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void findsAPeriodAboveTheBound(Algorithm algorithm) {
		Limit limit = Limit.of(algorithm, Rate.parse("10/1s"));
		long bound = atOnce(limit, 1).bound();
		assertThat(atOnce(limit, bound + 1).mostInAPeriod()).isGreaterThan(bound);
	}

	@Test
	void countsAPeriodWithoutItsEnd() {
		Limit limit = Limit.of(Algorithm.SLIDING_WINDOW_LOG, Rate.parse("1/1s"));
		assertThat(Admissions.of(limit, LongStream.of(BEGIN + 1_000_000, BEGIN), LongStream.empty()).mostInAPeriod())
			.isOne();
		assertThat(Admissions.of(limit, LongStream.of(BEGIN + 999_999, BEGIN), LongStream.empty()).mostInAPeriod())
			.isEqualTo(2);
	}

	@ParameterizedTest
	@MethodSource
	void findsADenialThatIsNotDue(Limit limit) {
		assertThat(deniedAt(limit, limit.burst(), 0).undueDenials()).isZero();
		assertThat(deniedAt(limit, limit.burst() - 1, 0).undueDenials()).isOne();
		assertThat(deniedAt(limit, limit.burst(), 2_000_000).undueDenials()).isOne();
	}

	static Stream<Limit> findsADenialThatIsNotDue() {
		return Stream.of(Algorithm.values())
			.map((algorithm) -> AnyLimit.of(algorithm, "10/1s"))
			.filter((limit) -> limit.burst() > 1);
	}

	@ParameterizedTest
	@EnumSource
	void findsADenialBeforeTheFirstAdmission(Algorithm algorithm) {
		Limit limit = Limit.of(algorithm, Rate.parse("10/1s"));
		assertThat(deniedAt(limit, 1, -1).undueDenials()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void findsWithheldPermits(Algorithm algorithm) {
		Limit limit = Limit.of(algorithm, Rate.parse("10/1s"));
		long[] half = LongStream.range(0, 50).map((call) -> BEGIN + call * 200_000).toArray();
		LongStream between = LongStream.of(half).map((call) -> call + 199_999);
		Admissions admissions = Admissions.of(limit, LongStream.of(half), between);
		assertThat(admissions.undueDenials()).isGreaterThan(20);
	}

	@Test
	void findsPermitsThatABucketWithheld() {
		Limit limit = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("10/1s"));
		LongStream burst = LongStream.range(0, 10);
		LongStream later = LongStream.rangeClosed(2, 50).map((call) -> call * 100_000);
		Admissions admissions = Admissions.of(limit, LongStream.concat(burst, later).map((time) -> BEGIN + time),
				LongStream.of(BEGIN + 10, BEGIN + 5_050_000));
		assertThat(admissions.stretches()).extracting(Stretch::missing).containsExactly(0L, 1L);
		assertThat(admissions.stretches().get(1).time()).isEqualTo(Duration.ofMillis(5050));
	}

	@Test
	void startsANewStretchOnceABucketIsFull() {
		Limit limit = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("10/1s"));
		LongStream twice = LongStream.range(0, 20).map((call) -> BEGIN + call / 10 * 5_000_000);
		Admissions admissions = Admissions.of(limit, twice, LongStream.of(BEGIN, BEGIN + 5_000_000));
		assertThat(admissions.stretches()).extracting(Stretch::missing).containsExactly(0L, 0L);
	}

	private static Admissions atOnce(Limit limit, long calls) {
		return Admissions.of(limit, LongStream.generate(() -> BEGIN).limit(calls), LongStream.empty());
	}

	private static Admissions deniedAt(Limit limit, long calls, long denial) {
		return Admissions.of(limit, LongStream.generate(() -> BEGIN).limit(calls), LongStream.of(BEGIN + denial));
	}

}
