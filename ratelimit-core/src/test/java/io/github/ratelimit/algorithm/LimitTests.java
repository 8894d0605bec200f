package io.github.ratelimit.algorithm;

import java.time.Duration;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
			.doesNotHaveSameHashCodeAs(Limit.of(algorithm, Rate.parse("10/2s")))
			.hasToString(limit.isConcurrency() ? "10 concurrent lease 1s" : "10/1s");
	}

	@ParameterizedTest
	@CsvSource({ "10/1s, FIXED_WINDOW, 10", "10/1s leaky-bucket, LEAKY_BUCKET, 1",
			" 10/1s  sliding-window-log , SLIDING_WINDOW_LOG, 10", "10/1s token-bucket burst 20, TOKEN_BUCKET, 20",
			"10/1s leaky-bucket burst 3, LEAKY_BUCKET, 3" })
	void readsWhatUsersWrite(String text, Algorithm algorithm, long burst) {
		Limit limit = Limit.parse(text, Algorithm.FIXED_WINDOW);
		assertThat(limit).isEqualTo(Limit.of(algorithm, Rate.parse("10/1s")).withBurst(burst));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "10/1s fixed | there is no algorithm named 'fixed'; there are [token-bucket, leaky-bucket, ",
					"10/1s burst | after permits/period a limit has at most an algorithm, 'burst' with a number",
					"10/1s align day | windows aligned to a day need a period of 10/1d, was 10/1s",
					"10/1d align day zone Tokyo | there is no time zone 'Tokyo'",
					"10/1d align year | there is no calendar unit 'year'; there are [minute, hour, day, week, month]",
					"10/1d token-bucket align day | only a fixed-window is aligned to the calendar, not a token-bucket",
					"10/1d zone Asia/Tokyo | a zone is that of an alignment",
					"10/1s burst many | a burst is a whole number, was 'many'",
					"10/1s burst 5 token-bucket | after permits/period a limit has at most an algorithm, 'burst'",
					"10/1s burst 20 | a fixed-window has no burst other than the permits of its limit",
					"ten token-bucket | a limit is written permits/period, such as 100/1m" })
	void refusesAnyOtherForm(String text, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.parse(text, Algorithm.FIXED_WINDOW))
			.withMessageContaining(message);
	}

	@Test
	void writesItsPeriodInTheLongestUnitThatDividesIt() {
		Limit limit = Limit.parse("5/60s", Algorithm.TOKEN_BUCKET);
		assertThat(limit.period()).isEqualTo("1m");
		assertThat(limit.periodMicros()).isEqualTo(60_000_000);
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
	@EnumSource
	void refusesABurstWhereThereIsNone(Algorithm algorithm) {
		Limit limit = Limit.of(algorithm, Rate.parse("10/1s"));
		assertThat(limit.withBurst(limit.burst())).isEqualTo(limit);
		if (algorithm.hasBurst()) {
			assertThat(limit.withBurst(20).burst()).isEqualTo(20);
		}
		else {
			assertThatIllegalArgumentException().isThrownBy(() -> limit.withBurst(20))
				.withMessage(algorithm.noun() + " has no burst other than "
						+ ((limit.burst() == 10) ? "the permits of its limit" : limit.burst()));
		}
	}

	@ParameterizedTest
	@CsvSource({ "7, 50, 4", "1051, 30, 316", "200, 1, 2", "1, 1, 1", "10, 99, 10", "1000, 99, 990" })
	void sharesItsPermitsAndItsBurstRoundedUp(long permits, int percent, long share) {
		Rate rate = new Rate(permits, Duration.ofSeconds(1));
		Rate part = new Rate(share, Duration.ofSeconds(1));
		assertThat(Limit.of(Algorithm.TOKEN_BUCKET, rate).withBurst(9).share(percent))
			.isEqualTo(Limit.of(Algorithm.TOKEN_BUCKET, part).withBurst((9 * percent + 99) / 100));
		assertThat(Limit.of(Algorithm.FIXED_WINDOW, rate).share(percent))
			.isEqualTo(Limit.of(Algorithm.FIXED_WINDOW, part));
	}

	@Test
	void sharesTheWindowsOfTheCalendar() {
		Limit limit = Limit.parse("10/1d align day zone Asia/Tokyo", Algorithm.FIXED_WINDOW);
		assertThat(limit.share(100)).isSameAs(limit);
		assertThat(limit.share(50)).isEqualTo(Limit.parse("5/1d align day zone Asia/Tokyo", Algorithm.FIXED_WINDOW));
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
	void refusesMorePermitsThanItsLuaFormCanCount(Algorithm algorithm) {
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.of(algorithm, Rate.parse("999999999999999999/1s")));
	}

	@ParameterizedTest
	@EnumSource
	void passesNumbersToTheLuaFormThatItCanRepresent(Algorithm algorithm) {
		for (String rate : new String[] { "300000/1s", "1/30d", "1234567/30d", "199999999/1s" }) {
			long[] arguments = Limit.of(algorithm, Rate.parse(rate)).formula().arguments(0);
			assertThat(arguments).hasSize(Formula.ARGUMENTS);
			assertThat(LongStream.of(arguments)).allMatch((number) -> number >= 0 && number <= 1L << 53);
		}
	}

}
