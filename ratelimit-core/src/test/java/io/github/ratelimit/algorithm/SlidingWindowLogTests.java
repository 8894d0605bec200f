package io.github.ratelimit.algorithm;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SlidingWindowLogTests {

	private static final long NOW = 1_790_000_000_000_000L;

	private static final long SECOND = 1_000_000;

	private static final long MOST_PERMITS = 4_294_967_295L;

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
	void givesBackFromAllThatWasChargedInOneMicrosecond() {
		long[] state = this.log.take(charged(NOW, 3), NOW, 2, 0);
		this.log.giveBack(state, NOW, 3, NOW);
		assertThat(this.log.remaining(state, NOW)).isEqualTo(8);
	}

	@Test
	void givesBackTheOldestCharge() {
		long[] state = this.log.take(charged(NOW, 3), NOW + 1, 2, 0);
		this.log.giveBack(state, NOW + 1, 3, NOW);
		assertThat(this.log.remaining(state, NOW + 1)).isEqualTo(8);
	}

	@Test
	void givesBackNothingOfAnotherTime() {
		long[] state = charged(NOW, 3);
		this.log.giveBack(state, NOW, 3, NOW - 1);
		this.log.giveBack(state, NOW, 3, NOW + 1);
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
	void hasNoMorePermitsThanItsLuaFormCanKeep() {
		assertThat(formula(MOST_PERMITS).arguments(NOW)).containsExactly(MOST_PERMITS, SECOND, 0, 0);
		assertThatIllegalArgumentException().isThrownBy(() -> formula(MOST_PERMITS + 1))
			.withMessage("a sliding-window-log has at most 4294967295 permits, not 4294967296");
	}

	@Test
	void isNotLeased() {
		assertThat(this.log.isLeasable()).isFalse();
		assertThat(this.log.leaseTime(1, SECOND)).isZero();
	}

	private long[] charged(long time, long cost) {
		return this.log.take(this.log.stateOf(0, time), time, cost, 0);
	}

	private static Formula formula(long permits) {
		return Limit.of(Algorithm.SLIDING_WINDOW_LOG, new Rate(permits, Duration.ofSeconds(1))).formula();
	}

}
