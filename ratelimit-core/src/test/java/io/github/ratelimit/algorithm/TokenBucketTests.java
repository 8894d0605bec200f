package io.github.ratelimit.algorithm;

import java.time.Duration;
import java.util.Objects;

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
	@CsvSource({ "1234567/30d, 10000", "1000003/365d, 10000", "100000007/365d, 1000000" })
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
	void owesAChargeThatDoesNotFit() {
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
		assertThat(bucket.resetAfter(state, NOW)).isEqualTo(rate.periodMicros() + Bounds.LONGEST_WAIT);
		assertThat(bucket.longestWait()).isEqualTo(Bounds.LONGEST_WAIT);
	}

	/** Tests 1009 parts per microsecond and 10^6 parts per permit. */
	@ParameterizedTest
	@CsvSource({ "9007199254, 8926857536175", "9007199255, 8926857536909", "9223372036854775807, 8926857536909" })
	void owesNoMoreThanLuaCanCount(long cost, long micros) {
		Formula bucket = formula("1009/1s");
		long[] state = bucket.take(bucket.stateOf(0, NOW), NOW, cost, 0);
		assertThat(bucket.resetAfter(state, NOW)).isEqualTo(micros);
		assertThat(bucket.longestWait()).isEqualTo(8926857536908L - SECOND);
	}

	@ParameterizedTest
	@CsvSource({ "1, PT1S, 4503599627, 1", "1, PT1S, 4503599628, 10", "500000000000000, PT0.000001S, 1, 1",
			"2, PT0.00006S, 300239975158033, 10" })
	void countsInTheFinestTicksThatFit(long permits, Duration period, long burst, long tick) {
		Formula bucket = Limit.of(Algorithm.LEAKY_BUCKET, new Rate(permits, period)).withBurst(burst).formula();
		assertThat(bucket.arguments(NOW)[3]).isEqualTo(tick);
	}

	@ParameterizedTest
	@CsvSource({ "562949953421312, PT0.000001S, 1", "2, PT0.00006S, 300239975158034" })
	void refusesWhatNoTickFits(long permits, Duration period, long burst) {
		Rate rate = new Rate(permits, period);
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.of(Algorithm.LEAKY_BUCKET, rate).withBurst(burst))
			.withMessageStartingWith("a burst of " + burst + " at " + rate + " is too large to be counted exactly");
	}

	@Test
	void refundsOnlyWhatIsNotRefilledYet() {
		Formula bucket = formula("10/1s");
		long[] state = bucket.take(bucket.stateOf(0, NOW), NOW, 10, 0);
		long later = NOW + SECOND / 2;
		bucket.take(state, later, 5, 0);
		state = bucket.refund(state, later, 10, NOW, NOW);
		assertThat(bucket.remaining(state, later)).isEqualTo(5);
		long muchLater = NOW + 10 * SECOND;
		state = bucket.take(state, muchLater, 10, 0);
		state = bucket.refund(state, muchLater, 5, later, later);
		assertThat(bucket.remaining(state, muchLater)).isZero();
	}

	@Test
	void refundsNothingOfAPermitThatIsRefilledToTheMicrosecond() {
		Formula bucket = formula("300000/1s");
		long[] state = bucket.take(bucket.stateOf(0, NOW), NOW, 101, 0);
		assertThat(bucket.resetAfter(state, NOW + 4)).isEqualTo(333);
		state = bucket.refund(state, NOW + 4, 1, NOW, NOW);
		assertThat(bucket.resetAfter(state, NOW + 4)).isEqualTo(333);
	}

	@Test
	void refundsACostAboveAllNumbers() {
		Formula bucket = formula("13/366d");
		long[] state = bucket.take(bucket.stateOf(0, NOW), NOW, 13, 0);
		state = bucket.refund(state, NOW, 123_456_789, NOW, NOW);
		assertThat(bucket.remaining(state, NOW)).isEqualTo(13);
	}

	@Test
	void isPrefetchedUntilItWouldBeFullWithoutThePermits() {
		assertThat(formula("10/1s").isPrefetchable()).isTrue();
		assertThat(formula("10/1s").prefetchTime(5, SECOND)).isEqualTo(499_999);
		assertThat(formula("300000/1s").prefetchTime(1, SECOND)).isEqualTo(SECOND - 5);
		assertThat(formula("123457/30d").prefetchTime(1, 3600 * SECOND)).isEqualTo(3600 * SECOND - 20_997_000);
		assertThat(formula("10/1s").prefetchTime(10, SECOND)).isZero();
	}

	@Test
	void refundsNothingFromBeforeItBegan() {
		Formula bucket = formula("10/1s");
		long[] state = bucket.take(bucket.stateOf(0, NOW + 5), NOW + 5, 6, 0);
		state = bucket.refund(state, NOW + 6, 4, NOW + 4, NOW + 4);
		assertThat(bucket.remaining(state, NOW + 6)).isEqualTo(4);
		state = bucket.refund(state, NOW + 6, 4, NOW + 5, NOW + 5);
		assertThat(bucket.remaining(state, NOW + 6)).isEqualTo(8);
	}

	/** Checks that a call by the smaller burst makes no room in the larger one. */
	@Test
	void keepsAllThatIsSpentUnderAnotherBurst() {
		Formula larger = Limit.parse("10/1s burst 40", Algorithm.TOKEN_BUCKET).formula();
		Formula smaller = Limit.parse("10/1s burst 5", Algorithm.TOKEN_BUCKET).formula();
		long[] state = larger.take(larger.stateOf(0, NOW), NOW, 30, 0);
		assertThat(smaller.read(larger, state, NOW)).isSameAs(state);
		assertThat(smaller.remaining(state, NOW)).isZero();
		assertThat(smaller.waitFor(state, NOW, 1)).isEqualTo(2 * SECOND + SECOND * 6 / 10);
		assertThat(larger.remaining(smaller.take(state, NOW, 0, 0), NOW)).isEqualTo(10);
	}

	@Test
	void keepsAllThatIsSpentUnderAnotherRate() {
		Formula bucket = formula("10/1s");
		long[] state = bucket.take(bucket.stateOf(0, NOW), NOW, 6, 0);
		assertThat(remaining("7/1s", state)).isEqualTo(1);
		assertThat(remaining("3/1s", state)).isZero();
		assertThat(remaining("1000/1s", state)).isEqualTo(994);
		long[] read = formula("3/1s").read(bucket, state, NOW);
		assertThat(formula("3/1s").waitFor(Objects.requireNonNull(read), NOW, 1)).isEqualTo(1_333_334);
		assertThat(state).isEqualTo(bucket.take(bucket.stateOf(0, NOW), NOW, 6, 0));
	}

	@Test
	void keepsThePartOfAPermitThatIsSpentUnderAnotherRate() {
		long[] state = formula("10/1m").stateOf(6, NOW);
		formula("10/1m").take(state, NOW + 3 * SECOND, 0, 0);
		long[] read = Objects.requireNonNull(formula("7/1m").read(formula("10/1m"), state, NOW + 3 * SECOND));
		assertThat(formula("7/1m").waitFor(read, NOW + 3 * SECOND, 2)).isEqualTo(4_285_715);
	}

	/** Tests 10^6 parts per permit, up to 2^53 parts. */
	@ParameterizedTest
	@CsvSource({ "9007199253, 9007199253000000", "9007199254, 9007199254740992", "9007199255, 9007199254740992",
			"9223372036854775807, 9007199254740992" })
	void keepsNoMoreThanItCanCountUnderAnotherRate(long spent, long parts) {
		Formula bucket = formula("1000/1s");
		long[] state = bucket.take(bucket.stateOf(0, NOW), NOW, spent, 0);
		long[] read = Objects.requireNonNull(formula("1009/1s").read(bucket, state, NOW));
		assertThat(read[Formula.SPENT]).isEqualTo(parts);
	}

	@Test
	void keepsNoMoreThanAYearRefillsAtASlowerRateOfTheSameParts() {
		Formula fast = formula("1009/1s");
		Formula slow = formula("1/1s");
		long[] state = fast.take(fast.stateOf(0, NOW), NOW, Long.MAX_VALUE, 0);
		long[] read = Objects.requireNonNull(slow.read(fast, state, NOW));
		assertThat(slow.resetAfter(read, NOW)).isEqualTo(SECOND + Bounds.LONGEST_WAIT);
	}

	@Test
	void hasItsLastTurnWhenItLastChanged() {
		assertThat(formula("10/1s").lastTurn(formula("10/1s").stateOf(10, NOW), NOW + 5)).isEqualTo(NOW + 5);
	}

	@Test
	void goesOnFromAnotherAlgorithmAtItsOwnRate() {
		Formula bucket = formula("10/1s");
		assertThat(bucket.remaining(bucket.stateOf(7, NOW, NOW), NOW)).isEqualTo(3);
		assertThat(bucket.remaining(bucket.stateOf(7, NOW - SECOND / 2, NOW), NOW)).isEqualTo(8);
		assertThat(bucket.waitFor(bucket.stateOf(17, NOW, NOW), NOW, 1)).isEqualTo(SECOND * 8 / 10);
	}

	@Test
	void admitsNothingBeforeTheLastTurnOfAnotherAlgorithm() {
		Formula bucket = formula("10/1s");
		assertThat(bucket.waitFor(bucket.stateOf(3, NOW + SECOND, NOW), NOW, 1)).isEqualTo(SECOND + SECOND / 10);
		assertThat(bucket.waitFor(bucket.stateOf(17, NOW + SECOND, NOW), NOW, 1)).isEqualTo(SECOND + SECOND * 8 / 10);
		assertThat(bucket.resetAfter(bucket.stateOf(3, NOW + Bounds.LONGEST_WAIT, NOW), NOW))
			.isEqualTo(SECOND + Bounds.LONGEST_WAIT);
	}

	/** Counts in ticks of a millisecond, the last of which begins before the turn. */
	@Test
	void admitsNothingBeforeTheTickOfTheLastTurnHasEnded() {
		Formula bucket = formula("123457/30d");
		long now = NOW + 3;
		assertThat(bucket.resetAfter(bucket.stateOf(0, now + 1998, now), now))
			.isEqualTo(bucket.resetAfter(bucket.stateOf(123_457, now), now) + 3000);
	}

	private static long remaining(String rate, long[] state) {
		return formula(rate).remaining(Objects.requireNonNull(formula(rate).read(formula("10/1s"), state, NOW)), NOW);
	}

	private static Formula formula(String rate) {
		return Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse(rate)).formula();
	}

}
