package io.github.ratelimit.algorithm;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SlidingWindowCounterTests {

	private static final long NOW = 1_790_000_000_000_000L;

	@Test
	void takesOverOnlyWhatWasCountedInWindowsOfAnotherLength() {
		long[] state = formula("10/1s").stateOf(6, NOW);
		assertThat(formula("20/1s").adopt(state, NOW)).isFalse();
		assertThat(formula("10/2s").adopt(state, NOW)).isTrue();
		assertThat(formula("10/2s").adopt(state, NOW)).isFalse();
		assertThat(formula("10/2s").remaining(state, NOW)).isEqualTo(4);
	}

	/** Up to 2^53 parts in a window. */
	@ParameterizedTest
	@CsvSource({ "9007199254, 1", "9007199255, 10", "90071992547, 10", "90071992548, 100" })
	void countsInTheFinestTicksThatFit(long permits, long tick) {
		Formula counter = formula(new Rate(permits, Duration.ofSeconds(1)));
		assertThat(counter.arguments(NOW)).containsExactly(permits, 1_000_000 / tick, tick, 0);
	}

	@Test
	void isNotLeased() {
		assertThat(formula("10/1s").isLeasable()).isFalse();
		assertThat(formula("10/1s").leaseTime(1, 1_000_000)).isZero();
	}

	private static Formula formula(String rate) {
		return formula(Rate.parse(rate));
	}

	private static Formula formula(Rate rate) {
		return Limit.of(Algorithm.SLIDING_WINDOW_COUNTER, rate).formula();
	}

}
