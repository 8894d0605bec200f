package io.github.ratelimit.algorithm;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
		bucket.take(state, NOW, 10, 0);
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
		bucket.take(state, NOW, Rate.parse(rate).permits(), 0);
		assertThat(bucket.waitFor(state, NOW, cost)).isEqualTo(micros);
		assertThat(bucket.waitFor(state, NOW + micros - 1, cost)).isEqualTo(1);
		assertThat(bucket.waitFor(state, NOW + micros, cost)).isZero();
	}

	@Test
	void losesNothingToRoundingOverManyCalls() {
		Formula bucket = formula("7/1s");
		long[] state = bucket.stateOf(0, NOW);
		bucket.take(state, NOW, 7, 0);
		long admitted = 0;
		for (long now = NOW; now < NOW + 1000 * SECOND; now += 997) {
			if (bucket.waitFor(state, now, 1) == 0) {
				bucket.take(state, now, 1, 0);
				admitted++;
			}
		}
		assertThat(admitted).isEqualTo(6999);
	}

	@ParameterizedTest
	@CsvSource({ "1234567/30d, 1000", "1000003/365d, 10000", "100000007/365d, 1000000" })
	void countsInCoarserTicksWhereMicrosecondsDoNotFit(String rate, long tick) {
		Formula bucket = formula(rate);
		assertThat(bucket.arguments(0)[3]).isEqualTo(tick);
		long[] state = bucket.stateOf(0, NOW + 3);
		bucket.take(state, NOW + 3, Rate.parse(rate).permits(), 0);
		long wait = bucket.waitFor(state, NOW + 3, 1);
		assertThat(bucket.waitFor(state, NOW + 3 + wait - 1, 1)).isEqualTo(1);
		assertThat(bucket.waitFor(state, NOW + 3 + wait, 1)).isZero();
		assertThat(bucket.resetAfter(state, NOW + 3)).isEqualTo(Rate.parse(rate).periodMicros() - (NOW + 3) % tick);
	}

	@Test
	void owesWhatIsChargedThoughItDoesNotFit() {
		Formula bucket = formula("10/1s");
		long[] state = bucket.take(bucket.stateOf(0, NOW), NOW, 25, 0);
		assertThat(bucket.remaining(state, NOW)).isZero();
		assertThat(bucket.waitFor(state, NOW, 1)).isEqualTo(SECOND + SECOND * 6 / 10);
		assertThat(bucket.resetAfter(state, NOW)).isEqualTo(2 * SECOND + SECOND / 2);
	}

	@ParameterizedTest
	@CsvSource({ "10, PT1S", "1000003, P365D", "284, PT0.999999S" })
	void owesNoMoreThanAYearRefills(long permits, Duration period) {
		Rate rate = new Rate(permits, period);
		Formula bucket = Limit.of(Algorithm.TOKEN_BUCKET, rate).formula();
		long[] state = bucket.take(bucket.stateOf(0, NOW), NOW, Long.MAX_VALUE, 0);
		assertThat(bucket.resetAfter(state, NOW)).isEqualTo(rate.periodMicros() + Formula.LONGEST_WAIT);
		assertThat(bucket.longestWait()).isEqualTo(Formula.LONGEST_WAIT);
	}

	/** At 1009 parts a microsecond and 10^6 parts a permit. */
	@ParameterizedTest
	@CsvSource({ "9007199254, 8926857536175", "9007199255, 8926857536909", "9223372036854775807, 8926857536909" })
	void owesNoMoreThanLuaCanCount(long cost, long micros) {
		Formula bucket = formula("1009/1s");
		long[] state = bucket.take(bucket.stateOf(0, NOW), NOW, cost, 0);
		assertThat(bucket.resetAfter(state, NOW)).isEqualTo(micros);
		assertThat(bucket.longestWait()).isEqualTo(8926857536908L - SECOND);
	}

	@ParameterizedTest
	@CsvSource({ "1, PT1S, 4503599627, 1", "1, PT1S, 4503599628, 10", "9007199254740992, PT0.000001S, 1, 1",
			"2, PT0.00006S, 300239975158033, 10" })
	void countsInTheFinestTicksThatFit(long permits, Duration period, long burst, long tick) {
		Formula bucket = Limit.of(Algorithm.LEAKY_BUCKET, new Rate(permits, period)).withBurst(burst).formula();
		assertThat(bucket.arguments(NOW)[3]).isEqualTo(tick);
	}

	@ParameterizedTest
	@CsvSource({ "9007199254740993, PT0.000001S, 1", "2, PT0.00006S, 300239975158034" })
	void refusesWhatNoTickFits(long permits, Duration period, long burst) {
		Rate rate = new Rate(permits, period);
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.of(Algorithm.LEAKY_BUCKET, rate).withBurst(burst))
			.withMessageStartingWith("a burst of " + burst + " at " + rate + " is too large to be counted exactly");
	}

	@Test
	void givesBackOnlyWhatIsNotRefilledYet() {
		Formula bucket = formula("10/1s");
		long[] state = bucket.take(bucket.stateOf(0, NOW), NOW, 10, 0);
		long later = NOW + SECOND / 2;
		bucket.take(state, later, 5, 0);
		bucket.giveBack(state, later, 10, NOW);
		assertThat(bucket.remaining(state, later)).isEqualTo(5);
		long muchLater = NOW + 10 * SECOND;
		bucket.take(state, muchLater, 10, 0);
		bucket.giveBack(state, muchLater, 5, later);
		assertThat(bucket.remaining(state, muchLater)).isZero();
	}

	@Test
	void givesBackNothingOfAPermitThatIsRefilledToTheMicrosecond() {
		Formula bucket = formula("300000/1s");
		long[] state = bucket.take(bucket.stateOf(0, NOW), NOW, 101, 0);
		assertThat(bucket.resetAfter(state, NOW + 4)).isEqualTo(333);
		bucket.giveBack(state, NOW + 4, 1, NOW);
		assertThat(bucket.resetAfter(state, NOW + 4)).isEqualTo(333);
	}

	@Test
	void isLeasedUntilItWouldBeFullWithoutThePermits() {
		assertThat(formula("10/1s").isLeasable()).isTrue();
		assertThat(formula("10/1s").leaseTime(5, SECOND)).isEqualTo(499_999);
		assertThat(formula("300000/1s").leaseTime(1, SECOND)).isEqualTo(SECOND - 5);
		assertThat(formula("1234567/30d").leaseTime(1, 3600 * SECOND)).isEqualTo(3600 * SECOND - 2_101_000);
		assertThat(formula("10/1s").leaseTime(10, SECOND)).isZero();
	}

	@Test
	void keepsWhatIsOwedUnderAnotherBurst() {
		long[] state = formula("10/1s").stateOf(0, NOW);
		formula("10/1s").take(state, NOW, 15, 0);
		Formula larger = Limit.parse("10/1s burst 40", Algorithm.TOKEN_BUCKET).formula();
		assertThat(larger.adopt(state, NOW)).isTrue();
		assertThat(larger.remaining(state, NOW)).isEqualTo(25);
		Formula smaller = Limit.parse("10/1s burst 5", Algorithm.TOKEN_BUCKET).formula();
		long[] another = formula("10/1s").take(formula("10/1s").stateOf(0, NOW), NOW, 15, 0);
		assertThat(smaller.adopt(another, NOW)).isTrue();
		assertThat(smaller.waitFor(another, NOW, 1)).isEqualTo(SECOND * 6 / 10);
	}

	@Test
	void keepsWhatIsSpentUnderAnotherRate() {
		long[] state = formula("10/1s").stateOf(0, NOW);
		formula("10/1s").take(state, NOW, 6, 0);
		assertThat(remaining("7/1m", state.clone())).isEqualTo(1);
		assertThat(remaining("3/1m", state.clone())).isZero();
		assertThat(remaining("1000/1h", state.clone())).isEqualTo(994);
	}

	@Test
	void keepsThePartOfAPermitThatIsSpentUnderAnotherRate() {
		long[] state = formula("10/1s").stateOf(6, NOW);
		formula("10/1s").take(state, NOW + SECOND / 20, 0, 0);
		assertThat(formula("7/1m").adopt(state, NOW + SECOND / 20)).isTrue();
		assertThat(formula("7/1m").waitFor(state, NOW + SECOND / 20, 2)).isEqualTo(4_285_715);
	}

	@Test
	void keepsNoMoreSpentThanTheBurstUnderAnotherRate() {
		long[] state = formula("1000000/1s").stateOf(1_000_000, NOW);
		assertThat(remaining("5/5s", state)).isZero();
		assertThat(formula("5/5s").remaining(state, NOW + SECOND)).isEqualTo(1);
	}

	private static long remaining(String rate, long[] state) {
		formula(rate).adopt(state, NOW);
		return formula(rate).remaining(state, NOW);
	}

	private static Formula formula(String rate) {
		return Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse(rate)).formula();
	}

}
