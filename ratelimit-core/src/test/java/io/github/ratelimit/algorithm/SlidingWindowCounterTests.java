package io.github.ratelimit.algorithm;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SlidingWindowCounterTests {

	private static final long NOW = 1_790_000_000_000_000L;

	@Test
	void readsTheCountsOfOtherPermits() {
		long[] state = formula("10/1s").stateOf(6, NOW);
		assertThat(formula("20/1s").read(formula("10/1s"), state, NOW)).isSameAs(state);
		assertThat(formula("20/1s").remaining(state, NOW)).isEqualTo(14);
		assertThat(formula("10/1s").read(Limit.parse("10/1s", Algorithm.TOKEN_BUCKET).formula(), state, NOW)).isNull();
	}

	@Test
	void goesOnFromAnotherAlgorithmInTheWindowOfNow() {
		Formula counter = formula("10/1s");
		assertThat(counter.remaining(counter.stateOf(6, NOW, NOW), NOW)).isEqualTo(4);
		assertThat(counter.remaining(counter.stateOf(6, NOW + 1, NOW), NOW)).isZero();
		assertThat(counter.stateOf(12, NOW + 1, NOW)[Formula.SPENT]).isEqualTo(12);
	}

	@Test
	void hasItsLastTurnWhenItsLaterWindowBegins() {
		Formula counter = formula("10/1s");
		long[] state = counter.take(counter.stateOf(0, NOW), NOW, 10, 0);
		assertThat(counter.lastTurn(state, NOW + 5)).isEqualTo(NOW + 5);
		counter.take(state, NOW, 1, 1_000_000);
		assertThat(counter.lastTurn(state, NOW + 5)).isEqualTo(NOW + 1_000_000);
	}

	@Test
	void refundsNothingFromBeforeItBegan() {
		Formula counter = formula("10/1s");
		long[] state = counter.take(counter.stateOf(0, NOW + 5), NOW + 5, 6, 0);
		counter.refund(state, NOW + 6, 4, NOW + 4, NOW + 4);
		assertThat(counter.remaining(state, NOW + 6)).isEqualTo(4);
		counter.refund(state, NOW + 6, 4, NOW + 5, NOW + 5);
		assertThat(counter.remaining(state, NOW + 6)).isEqualTo(8);
	}

	/** Tests up to 2^53 parts in a window. */
	@ParameterizedTest
	@CsvSource({ "9007199254, 1", "9007199255, 10", "90071992547, 10", "90071992548, 100" })
	void countsInTheFinestTicksThatFit(long permits, long tick) {
		Formula counter = formula(new Rate(permits, Duration.ofSeconds(1)));
		assertThat(counter.arguments(NOW)).containsExactly(permits, 1_000_000 / tick, tick, 0);
	}

	@Test
	void isNotPrefetched() {
		assertThat(formula("10/1s").isPrefetchable()).isFalse();
		assertThat(formula("10/1s").prefetchTime(1, 1_000_000)).isZero();
	}

	private static Formula formula(String rate) {
		return formula(Rate.parse(rate));
	}

	private static Formula formula(Rate rate) {
		return Limit.of(Algorithm.SLIDING_WINDOW_COUNTER, rate).formula();
	}

}
