package io.github.ratelimit.algorithm;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RateTests {

	@ParameterizedTest
	@CsvSource({ "100/1m, 100, PT1M", "5/500ms, 5, PT0.5S", "1/30d, 1, P30D", "300000/1s, 300000, PT1S",
			"20/1h, 20, PT1H" })
	void readsPermitsAndPeriod(String text, long permits, Duration period) {
		assertThat(Rate.parse(text)).isEqualTo(new Rate(permits, period));
	}

	@ParameterizedTest
	@ValueSource(strings = { "100/1m", "5/500ms", "1/30d", "7/90s", "20/1h", "3/1s" })
	void writesWhatItReads(String text) {
		assertThat(Rate.parse(text)).hasToString(text);
	}

	@Test
	void writesAPeriodThatNoUnitFitsAsADuration() {
		assertThat(new Rate(1, Duration.ofNanos(7000))).hasToString("1/PT0.000007S");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "ten", "10", "10/", "/1m", "10/m", "10/1w", "10 / 1m", "1e3/1s", "10/1m/2",
			"9999999999999999999/1s" })
	void refusesAnyOtherForm(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> Rate.parse(text))
			.withMessageContaining("permits/period, such as 100/1m");
	}

	@ParameterizedTest
	@CsvSource({ "3 / 1m, 3/1m", "3/ 1m, 3/1m", "3 per minute, 3/1m", "3 requests per minute, 3/1m", "5/second, 5/1s",
			"10 every 5 seconds, 10/5s", "100/Hour, 100/1h", "7 a day, 7/1d", "20 per 500 ms, 20/500ms",
			"3 per minute sliding-window-log, 3/1m sliding-window-log" })
	void saysHowARateInWordsIsWritten(String text, String written) {
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.parse(text))
			.withMessageEndingWith("; write " + written);
	}

	@ParameterizedTest
	@CsvSource({ "0/1m, permits must be at least 1", "-1/1m, permits must be at least 1",
			"5/0s, period must be above 0 and at most 366d", "5/-1s, period must be above 0 and at most 366d",
			"5/367d, period must be above 0 and at most 366d" })
	void refusesNumbersOutOfBounds(String text, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> Rate.parse(text)).withMessageContaining(message);
	}

	@Test
	void refusesFractionsOfAMicrosecond() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Rate(1, Duration.ofNanos(1500)))
			.withMessageContaining("whole number of microseconds");
	}

	@Test
	void returnsItsPeriodInMicroseconds() {
		assertThat(Rate.parse("5/1500ms").periodMicros()).isEqualTo(1_500_000);
		assertThat(new Rate(1, Duration.ofNanos(7000)).periodMicros()).isEqualTo(7);
	}

}
