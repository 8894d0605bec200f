package io.github.ratelimit.store.shared;

import java.time.Duration;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of the words of a limit.
 */
class LimitWordsTests {

	@ParameterizedTest
	@MethodSource
	void areReadAsTheSameLimit(Limit limit) {
		assertThat(LimitWords.read(LimitWords.write(limit))).isEqualTo(limit);
	}

	static Stream<Limit> areReadAsTheSameLimit() {
		return Stream.concat(Stream.of(Algorithm.values()).map((algorithm) -> AnyLimit.of(algorithm, "100/1m")),
				Stream.of(Limit.parse("100/1m leaky-bucket burst 7"), Limit.parse("5 concurrent lease 90s"),
						Limit.of(Algorithm.TOKEN_BUCKET, new Rate(3, Duration.ofNanos(1_234_000))),
						Limit.parse("5/30d fixed-window align month zone +02:00")));
	}

	@Test
	void nameWhatTheyState() {
		assertThat(LimitWords.write(Limit.parse("5/1d fixed-window align day zone Asia/Tokyo")))
			.isEqualTo("FIXED_WINDOW 5 86400000000 5 DAY Asia/Tokyo");
		assertThat(LimitWords.write(Limit.parse("5/1s token-bucket burst 9")))
			.isEqualTo("TOKEN_BUCKET 5 1000000 9 - -");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "TOKEN_BUCKET 5 1000000 9 -", "BUCKET 5 1000000 9 - -", "TOKEN_BUCKET 5 x 9 - -",
			"FIXED_WINDOW 5 86400000000 5 DAY Nowhere" })
	void refuseAnotherForm(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> LimitWords.read(text));
	}

}
