package io.github.ratelimit.algorithm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ConcurrencyTextTests {

	@ParameterizedTest
	@CsvSource({ "5 concurrent, 5/30s, 5 concurrent", " 7  concurrent , 7/30s, 7 concurrent",
			"5 concurrent lease 30s, 5/30s, 5 concurrent", "5 concurrent lease 60s, 5/1m, 5 concurrent lease 1m",
			"1 concurrent  lease 1s, 1/1s, 1 concurrent lease 1s" })
	void readsAndWritesWhatUsersWrite(String text, String rate, String written) {
		Limit limit = Limit.parse(text, Algorithm.FIXED_WINDOW);
		assertThat(limit).isEqualTo(Limit.of(Algorithm.CONCURRENCY, Rate.parse(rate))).hasToString(written);
		assertThat(limit.isConcurrency()).isTrue();
		assertThat(Limit.parse(written, Algorithm.TOKEN_BUCKET)).isEqualTo(limit);
	}

	@ParameterizedTest
	@ValueSource(strings = { "five concurrent", "5 concurrent burst 10", "5 concurrent fixed-window",
			"5 concurrent align day", "5 concurrent lease", "5 concurrent lease ever", "5/1m concurrent",
			"5/30s concurrency", "5 concurrency" })
	void refusesAnyOtherForm(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.parse(text, Algorithm.TOKEN_BUCKET))
			.withMessage(ConcurrencyText.FORM);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "0 concurrent | permits must be at least 1, was 0",
					"5 concurrent lease 500ms | a lease is at least 1s, as it is renewed in time, was 500ms",
					"5 concurrent lease 400d | period must be above 0 and at most 366d",
					"5000000000 concurrent | a limit on concurrency has at most 4294967295 permits, not 5000000000" })
	void refusesNumbersOutOfBounds(String text, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.parse(text, Algorithm.TOKEN_BUCKET))
			.withMessageContaining(message);
	}

	@Test
	void refusesARateAsALimitOnConcurrency() {
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.parse("100/1m", Algorithm.CONCURRENCY))
			.withMessage(ConcurrencyText.FORM);
		assertThatIllegalArgumentException().isThrownBy(() -> Algorithm.of("concurrency"))
			.withMessageContaining("there is no algorithm named 'concurrency'")
			.withMessageEndingWith("fixed-window, sliding-window-counter, sliding-window-log]");
	}

	@Test
	void hasNeitherBurstNorAlignment() {
		Limit limit = Limit.parse("5 concurrent lease 1m", Algorithm.TOKEN_BUCKET);
		assertThatIllegalArgumentException().isThrownBy(() -> limit.withBurst(10))
			.withMessage("a limit on concurrency has no burst other than the permits of its limit");
		assertThatIllegalArgumentException().isThrownBy(() -> limit.withAlignment(Alignment.of("minute", "UTC")))
			.withMessage("only a fixed-window is aligned to the calendar, not a limit on concurrency");
	}

	@Test
	void sharesItsPermits() {
		assertThat(Limit.parse("5 concurrent", Algorithm.TOKEN_BUCKET).share(50)).hasToString("3 concurrent");
	}

}
