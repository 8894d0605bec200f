package io.github.ratelimit.policy;

import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.store.PolicyLimit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LocalShareTests {

	@ParameterizedTest
	@ValueSource(strings = { "1", "25", "100", "auto" })
	void isWrittenAsItIsRead(String text) {
		assertThat(LocalShare.of(' ' + text)).hasToString(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "101", "-5", "999999999" })
	void refusesAPercentageOutOfBounds(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> LocalShare.of(text))
			.withMessage("a local share is 1 to 100 percent, or auto, was " + text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "half", "Auto", "25%", "0.5", "", "9999999999" })
	void refusesOtherWords(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> LocalShare.of(text))
			.withMessage("a local share is a whole percentage without its sign, such as 25, or auto");
	}

	@Test
	void roundsAPercentageUpWhateverTheNumberOfInstances() {
		assertThat(LocalShare.ofPercent(50).of(limit("7/1s", 0), 9)).isEqualTo(limit("4/1s", 0));
	}

	@ParameterizedTest
	@CsvSource({ "100/1m, 1, 100/1m", "100/1m, 3, 33/1m", "100/1m, 100, 1/1m", "100/1m, 101, 1/1m", "1/1s, 7, 1/1s" })
	void dividesALimitByTheInstances(String whole, int instances, String part) {
		assertThat(LocalShare.AUTO.of(limit(whole, 0), instances)).isEqualTo(limit(part, 0));
	}

	@Test
	void dividesTheReserveAndLeavesAPermit() {
		assertThat(LocalShare.AUTO.of(limit("100/1m", 40), 3)).isEqualTo(limit("33/1m", 13));
		assertThat(LocalShare.AUTO.of(limit("100/1m", 99), 100)).isEqualTo(limit("1/1m", 0));
	}

	@ParameterizedTest
	@EnumSource
	void addsUpToNoMoreThanTheLimit(Algorithm algorithm) {
		for (long permits : new long[] { 10, 97, 1000, 12345 }) {
			PolicyLimit whole = limit(Limit.of(algorithm, new Rate(permits, Duration.ofMinutes(1))), 0);
			assertThat(IntStream.rangeClosed(1, 10)).allSatisfy((instances) -> {
				Limit part = LocalShare.AUTO.of(whole, instances).limit();
				assertThat(instances * part.rate().permits()).isBetween(permits - instances + 1, permits);
				assertThat(part.burst()).isEqualTo(Math.max(1, whole.limit().burst() / instances));
			});
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3, 7, 11, 97, 1009 })
	void roundsPartsThatCannotBeCountedFurtherDown(int instances) {
		long permits = 1_000_000_000_000L;
		Stream.of("1000000000000/1d", "1000000000000/1h burst 1000").forEach((text) -> {
			Limit part = LocalShare.AUTO.of(limit(text, 0), instances).limit();
			assertThat(part.rate().permits()).isBetween(permits / instances / 2, permits / instances);
		});
	}

	private static PolicyLimit limit(String text, long reserve) {
		return limit(Limit.parse(text), reserve);
	}

	private static PolicyLimit limit(Limit limit, long reserve) {
		return new PolicyLimit("quotes", "quotes", 0, limit, reserve);
	}

}
