package io.github.ratelimit.algorithm;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FixedWindowTests {

	private static final long NOW = 1_790_000_000_000_000L;

	private static final long SECOND = 1_000_000;

	private final Formula window = Limit.of(Algorithm.FIXED_WINDOW, Rate.parse("10/1s")).formula();

	@Test
	void givesCallsThatWaitTheirPlaceInTheWindowsThatFollow() {
		long[] state = this.window.take(this.window.stateOf(0, NOW), NOW, 10, 0);
		for (long line = 0; line < 20; line++) {
			long wait = this.window.waitFor(state, NOW, 1);
			assertThat(wait).isEqualTo((1 + line / 10) * SECOND);
			this.window.take(state, NOW, 1, wait);
		}
		assertThat(this.window.resetAfter(state, NOW)).isEqualTo(3 * SECOND);
	}

	@Test
	void endsNoLaterThanAPeriodAfterTheLimitChanged() {
		long[] state = this.window.take(this.window.stateOf(0, NOW), NOW, 10, 0);
		Formula shorter = Limit.of(Algorithm.FIXED_WINDOW, Rate.parse("10/500ms")).formula();
		assertThat(shorter.adopt(state, NOW)).isTrue();
		assertThat(shorter.waitFor(state, NOW, 1)).isEqualTo(SECOND / 2);
	}

}
