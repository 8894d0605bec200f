package io.github.ratelimit.algorithm;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class FixedWindowTests {

	private static final long NOW = 1_790_000_000_000_000L;

	private static final long SECOND = 1_000_000;

	private static final long DAY = 86_400 * SECOND;

	private final Formula window = Limit.of(Algorithm.FIXED_WINDOW, Rate.parse("10/1s")).formula();

	private final Formula daily = Limit.parse("10/1d align day", Algorithm.FIXED_WINDOW).formula();

	@Test
	void givesWaitingCallsTurnsInTheNextWindows() {
		long[] state = this.window.take(this.window.stateOf(0, NOW), NOW, 10, 0);
		for (long call = 0; call < 20; call++) {
			long wait = this.window.waitFor(state, NOW, 1);
			assertThat(wait).isEqualTo((1 + call / 10) * SECOND);
			this.window.take(state, NOW, 1, wait);
		}
		assertThat(this.window.resetAfter(state, NOW)).isEqualTo(3 * SECOND);
	}

	@Test
	void readsOnlyWindowsThatBeginAsItsOwn() {
		long[] state = this.window.take(this.window.stateOf(0, NOW), NOW, 7, 0);
		assertThat(formula(100).read(this.window, state, NOW)).isSameAs(state);
		assertThat(this.daily.read(this.window, state, NOW)).isNull();
		assertThat(this.window.read(Limit.parse("10/1s", Algorithm.TOKEN_BUCKET).formula(), state, NOW)).isNull();
	}

	@Test
	void goesOnFromAnotherAlgorithmInAWindowFromNowOn() {
		long[] state = this.window.stateOf(7, NOW - SECOND, NOW);
		assertThat(this.window.remaining(state, NOW)).isEqualTo(3);
		assertThat(this.window.resetAfter(state, NOW)).isEqualTo(SECOND);
		assertThat(this.window.remaining(this.window.stateOf(7, NOW, NOW), NOW)).isEqualTo(3);
		assertThat(this.window.resetAfter(this.window.stateOf(0, NOW, NOW), NOW)).isZero();
	}

	@Test
	void isFullWhileCallsWaitForTurnsOfAnotherAlgorithm() {
		assertThat(this.window.remaining(this.window.stateOf(7, NOW + 1, NOW), NOW)).isZero();
		assertThat(this.window.stateOf(12, NOW + 1, NOW)[Formula.SPENT]).isEqualTo(12);
	}

	@Test
	void hasItsLastTurnWhenItsLastWindowBegins() {
		long[] state = this.window.take(this.window.stateOf(0, NOW), NOW, 10, 0);
		assertThat(this.window.lastTurn(state, NOW + 5)).isEqualTo(NOW + 5);
		state = this.window.take(state, NOW, 1, SECOND);
		assertThat(this.window.lastTurn(state, NOW + 5)).isEqualTo(NOW + SECOND);
	}

	@Test
	void beginsWithTheFirstCharge() {
		long[] state = this.window.stateOf(0, NOW);
		assertThat(this.window.resetAfter(state, NOW)).isZero();
		assertThat(this.window.waitFor(state, NOW, 10)).isZero();
		state = this.window.take(state, NOW + SECOND / 2, 10, 0);
		assertThat(this.window.resetAfter(state, NOW + SECOND / 2)).isEqualTo(SECOND);
		assertThat(this.window.waitFor(state, NOW + SECOND / 2, 1)).isEqualTo(SECOND);
	}

	@Test
	void isAsNewFromItsEndOn() {
		long[] state = this.window.take(this.window.stateOf(0, NOW), NOW, 7, 0);
		assertThat(this.window.remaining(state, NOW)).isEqualTo(3);
		assertThat(this.window.remaining(state, NOW + SECOND - 1)).isEqualTo(3);
		assertThat(this.window.remaining(state, NOW + SECOND)).isEqualTo(10);
	}

	@Test
	void keepsTheWindowsOfTheCalendarThatMayBeInUse() {
		long[] state = this.daily.take(this.daily.stateOf(0, NOW), NOW, 7, 0);
		assertThat(this.daily.read(this.daily, state, NOW)).isSameAs(state);
		assertThat(this.daily.read(this.daily, state, NOW - DAY)).containsExactly(7, 1, state[2], NOW - DAY);
		assertThat(this.daily.read(this.daily, state, NOW - 2 * DAY)).isNull();
	}

	@Test
	void letsCallsWaitForHalfAWindowOfTheCalendar() {
		assertThat(this.daily.longestWait()).isEqualTo(DAY / 2);
		assertThat(this.window.longestWait()).isEqualTo(366 * DAY);
	}

	@Test
	void handsTheLuaFormTheWindowsOfNow() {
		long today = NOW - NOW % DAY;
		assertThat(this.daily.arguments(NOW)).containsExactly(10, today, today + DAY, today + 2 * DAY);
		assertThat(this.window.arguments(NOW)).containsExactly(10, SECOND, 0, 0);
	}

	@Test
	void hasNoMorePermitsThanLuaCanCount() {
		long most = Bounds.MOST_PERMITS;
		assertThat(formula(most).arguments(NOW)).containsExactly(most, SECOND, 0, 0);
		assertThatIllegalArgumentException().isThrownBy(() -> formula(most + 1))
			.withMessage("a fixed-window has at most 140737488355328 permits, not 140737488355329");
	}

	@Test
	void isPrefetchedUntilItEnds() {
		assertThat(this.window.isPrefetchable()).isTrue();
		assertThat(this.window.prefetchTime(5, 700_000)).isEqualTo(700_000);
	}

	private static Formula formula(long permits) {
		return Limit.of(Algorithm.FIXED_WINDOW, new Rate(permits, Duration.ofSeconds(1))).formula();
	}

}
