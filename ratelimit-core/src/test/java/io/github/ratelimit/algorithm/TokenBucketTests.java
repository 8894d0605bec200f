package io.github.ratelimit.algorithm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class TokenBucketTests {

	private static final long NOW = 1_790_000_000_000_000L;

	private static final long SECOND = 1_000_000;

	@Test
	void startsFull() {
		Formula bucket = formula("10/1s");
		long[] state = bucket.stateOf(0, NOW);
		assertThat(bucket.remaining(state, NOW)).isEqualTo(10);
		assertThat(bucket.resetAfter(state, NOW)).isZero();
	}

	@Test
	void refillsEvenly() {
		Formula bucket = formula("10/1s");
		long[] state = bucket.stateOf(0, NOW);
		bucket.take(state, NOW, 10);
		assertThat(bucket.remaining(state, NOW)).isZero();
		assertThat(bucket.remaining(state, NOW + 99_999)).isZero();
		assertThat(bucket.remaining(state, NOW + 100_000)).isEqualTo(1);
		assertThat(bucket.remaining(state, NOW + SECOND)).isEqualTo(10);
		assertThat(bucket.remaining(state, NOW + 100 * SECOND)).isEqualTo(10);
	}

	@ParameterizedTest
	@CsvSource({ "7/1s, 3, 428572", "10/1s, 10, 1000000", "1/30d, 1, 2592000000000", "300000/1s, 1, 4",
			"300000/1s, 3, 10" })
	void waitsUntilTheCostFitsRoundedUp(String rate, long cost, long micros) {
		Formula bucket = formula(rate);
		long[] state = bucket.stateOf(0, NOW);
		bucket.take(state, NOW, Rate.parse(rate).permits());
		assertThat(bucket.retryAfter(state, NOW, cost)).isEqualTo(micros);
		assertThat(bucket.retryAfter(state, NOW + micros - 1, cost)).isEqualTo(1);
		assertThat(bucket.retryAfter(state, NOW + micros, cost)).isZero();
	}

	@Test
	void losesNothingToRoundingOverManyCalls() {
		Formula bucket = formula("7/1s");
		long[] state = bucket.stateOf(0, NOW);
		bucket.take(state, NOW, 7);
		long admitted = 0;
		for (long now = NOW; now < NOW + 1000 * SECOND; now += 997) {
			if (bucket.retryAfter(state, now, 1) == 0) {
				bucket.take(state, now, 1);
				admitted++;
			}
		}
		assertThat(admitted).isEqualTo(6999);
	}

	@ParameterizedTest
	@CsvSource({ "1234567/30d, 1000", "1000003/365d, 10000" })
	void countsInCoarserTicksWhereMicrosecondsDoNotFit(String rate, long tick) {
		Formula bucket = formula(rate);
		assertThat(bucket.arguments()[3]).isEqualTo(tick);
		long[] state = bucket.stateOf(0, NOW + 3);
		bucket.take(state, NOW + 3, Rate.parse(rate).permits());
		long wait = bucket.retryAfter(state, NOW + 3, 1);
		assertThat(bucket.retryAfter(state, NOW + 3 + wait - 1, 1)).isEqualTo(1);
		assertThat(bucket.retryAfter(state, NOW + 3 + wait, 1)).isZero();
		assertThat(bucket.resetAfter(state, NOW + 3)).isEqualTo(Rate.parse(rate).periodMicros() - (NOW + 3) % tick);
	}

	@Test
	void keepsWhatIsLeftWhenTheClockStepsBack() {
		Formula bucket = formula("10/1s");
		long[] state = bucket.stateOf(0, NOW);
		bucket.take(state, NOW, 10);
		long earlier = NOW - 3600 * SECOND;
		bucket.rewind(state, earlier);
		assertThat(bucket.remaining(state, earlier)).isZero();
		assertThat(bucket.retryAfter(state, earlier, 1)).isEqualTo(100_000);
		assertThat(bucket.remaining(state, earlier + SECOND)).isEqualTo(10);
	}

	@Test
	void keepsWhatIsSpentUnderAnotherRate() {
		long[] state = formula("10/1s").stateOf(0, NOW);
		formula("10/1s").take(state, NOW, 6);
		assertThat(formula("7/1m").remaining(state, NOW)).isEqualTo(1);
		assertThat(formula("3/1m").remaining(state, NOW)).isZero();
		assertThat(formula("1000/1h").remaining(state, NOW)).isEqualTo(994);
	}

	@Test
	void keepsNoMoreSpentThanTheBurstUnderAnotherRate() {
		long[] state = formula("1000000/1s").stateOf(1_000_000, NOW);
		assertThat(formula("5/5s").remaining(state, NOW)).isZero();
		assertThat(formula("5/5s").remaining(state, NOW + SECOND)).isEqualTo(1);
	}

	private static Formula formula(String rate) {
		return Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse(rate)).formula();
	}

}
