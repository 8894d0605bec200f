package io.github.ratelimit.algorithm;

import java.time.Duration;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SlidingWindowLogTests {

	private static final long NOW = 1_790_000_000_000_000L;

	private static final long SECOND = 1_000_000;

	private static final long MOST_PERMITS = 268_435_455;

	private final Formula log = formula(10);

	@Test
	void goesOnAfterEveryChargeHasLeftThePeriod() {
		long[] state = charged(NOW, 10);
		long later = NOW + SECOND;
		state = this.log.take(state, later, 7, 0);
		assertThat(this.log.remaining(state, later)).isEqualTo(3);
		assertThat(this.log.resetAfter(state, later)).isEqualTo(SECOND);
		assertThat(this.log.remaining(state, later + SECOND - 1)).isEqualTo(3);
		assertThat(this.log.remaining(state, later + SECOND)).isEqualTo(10);
	}

	@Test
	void refundsFromAllChargesOfOneMicrosecond() {
		long[] state = this.log.take(charged(NOW, 3), NOW, 2, 0);
		this.log.refund(state, NOW, 3, NOW, NOW);
		assertThat(this.log.remaining(state, NOW)).isEqualTo(8);
	}

	@Test
	void refundsTheOldestCharge() {
		long[] state = this.log.take(charged(NOW, 3), NOW + 1, 2, 0);
		this.log.refund(state, NOW + 1, 3, NOW, NOW);
		assertThat(this.log.remaining(state, NOW + 1)).isEqualTo(8);
	}

	@Test
	void refundsNothingOfAnotherTime() {
		long[] state = charged(NOW, 3);
		this.log.refund(state, NOW, 3, NOW - 1, NOW - 1);
		this.log.refund(state, NOW, 3, NOW + 1, NOW + 1);
		assertThat(this.log.remaining(state, NOW)).isEqualTo(7);
	}

	@Test
	void countsFromTheFirstMicrosecondOfTheClock() {
		long[] state = charged(0, 4);
		assertThat(this.log.remaining(state, SECOND - 1)).isEqualTo(6);
		assertThat(this.log.remaining(state, SECOND)).isEqualTo(10);
	}

	@Test
	void growsByHalfWhenItIsFull() {
		long[] state = this.log.stateOf(0, NOW);
		for (int charge = 0; charge < 8; charge++) {
			state = this.log.take(state, NOW + charge, 1, 0);
		}
		assertThat(state).hasSize(4 + 2 * 8);
		assertThat(this.log.take(state, NOW + 8, 1, 0)).hasSize(4 + 2 * 12);
	}

	@Test
	void mergesChargesOfOneGrainIntoTheLatestOfThem() {
		long[] state = this.log.stateOf(0, 0);
		for (int charge = 0; charge < 9; charge++) {
			state = this.log.take(state, 100 + charge, 1, 0);
		}
		assertThat(this.log.coarsened(state, 20)).containsExactly(9, 1, 0, 5, 101, 2, 103, 2, 105, 2, 107, 2, 108, 1, 0,
				0, 0, 0, 0, 0);
		assertThat(this.log.coarsened(state, 28)).startsWith(9, 1, 0, 5).hasSize(28);
		assertThat(this.log.coarsened(state, 32)).startsWith(9, 1, 0, 9, 100, 1, 101, 1).hasSize(32);
	}

	@ParameterizedTest
	@CsvSource({ "20, 0.4", "28, 0.25", "40, 0.17", "84, 0.07" })
	void admitsNoEarlierAndLittleLaterWhereItIsCoarse(int length, double part) {
		Formula wide = formula(1000);
		for (int seed = 0; seed < 20; seed++) {
			Random random = new Random(seed);
			long now = random.nextLong(NOW);
			long[] exact = wide.stateOf(0, now);
			long[] coarse = new long[length];
			coarse[Formula.UNIT] = 1;
			for (int call = 0; call < 3000; call++) {
				now += random.nextLong(2 * SECOND / 900);
				long cost = 1 + random.nextLong(3);
				long wait = wide.waitFor(exact, now, cost);
				assertThat(wide.waitFor(coarse, now, cost)).as("seed %s, call %s", seed, call)
					.isBetween(wait, wait + (long) (part * SECOND));
				assertThat(wide.remaining(coarse, now)).isLessThanOrEqualTo(wide.remaining(exact, now));
				if (wide.waitFor(coarse, now, cost) == 0) {
					exact = wide.take(exact, now, cost, 0);
					coarse = wide.take(coarse, now, cost, 0);
					coarse = (coarse.length > length) ? wide.coarsened(coarse, length) : coarse;
				}
				assertThat(wide.resetAfter(coarse, now)).isEqualTo(wide.resetAfter(exact, now));
			}
		}
	}

	@Test
	void hasNoMorePermitsThanItsLuaFormCanKeep() {
		assertThat(formula(MOST_PERMITS).arguments(NOW)).containsExactly(MOST_PERMITS, SECOND, 0, 0);
		assertThatIllegalArgumentException().isThrownBy(() -> formula(MOST_PERMITS + 1))
			.withMessage("a sliding-window-log has at most 268435455 permits, not 268435456");
	}

	@Test
	void readsTheChargesOfOtherPermits() {
		long[] state = charged(NOW, 7);
		assertThat(formula(20).read(this.log, state, NOW)).isSameAs(state);
		assertThat(this.log.read(Limit.parse("10/1s", Algorithm.TOKEN_BUCKET).formula(), state, NOW)).isNull();
	}

	@Test
	void goesOnFromAnotherAlgorithmByAChargeOfNow() {
		assertThat(this.log.remaining(this.log.stateOf(7, NOW, NOW), NOW)).isEqualTo(3);
		assertThat(this.log.resetAfter(this.log.stateOf(7, NOW - 5, NOW), NOW)).isEqualTo(SECOND);
		assertThat(this.log.remaining(this.log.stateOf(7, NOW + 1, NOW), NOW)).isZero();
		assertThat(this.log.stateOf(12, NOW + 1, NOW)[Formula.SPENT]).isEqualTo(12);
	}

	@Test
	void hasItsLastTurnWhenItsNewestEntryIsCharged() {
		long[] state = charged(NOW, 10);
		assertThat(this.log.lastTurn(state, NOW + 5)).isEqualTo(NOW + 5);
		assertThat(this.log.lastTurn(this.log.take(state, NOW, 1, SECOND), NOW + 5)).isEqualTo(NOW + SECOND);
	}

	@Test
	void isNotPrefetched() {
		assertThat(this.log.isPrefetchable()).isFalse();
		assertThat(this.log.prefetchTime(1, SECOND)).isZero();
	}

	private long[] charged(long time, long cost) {
		return this.log.take(this.log.stateOf(0, time), time, cost, 0);
	}

	private static Formula formula(long permits) {
		return Limit.of(Algorithm.SLIDING_WINDOW_LOG, new Rate(permits, Duration.ofSeconds(1))).formula();
	}

}
