package io.github.ratelimit.algorithm;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FixedWindowTests {

	private static final long NOW = 1_790_000_000_000_000L;

	private static final long SECOND = 1_000_000;

	private final Formula window = Limit.of(Algorithm.FIXED_WINDOW, Rate.parse("10/1s")).formula();

	@Test
	void beginsWithTheFirstChargeThoughTheClockSteppedBackBeforeIt() {
		long[] state = this.window.stateOf(0, NOW);
		long earlier = NOW - SECOND / 2;
		this.window.rewind(state, earlier);
		assertThat(this.window.resetAfter(state, earlier)).isZero();
		assertThat(this.window.resetAfter(this.window.take(state, earlier, 1), earlier)).isEqualTo(SECOND);
	}

	@Test
	void endsNoLaterThanAPeriodAfterTheClockSteppedBack() {
		long[] state = this.window.take(this.window.stateOf(0, NOW), NOW, 10);
		long earlier = NOW - 3600 * SECOND;
		this.window.rewind(state, earlier);
		assertThat(this.window.remaining(state, earlier)).isZero();
		assertThat(this.window.retryAfter(state, earlier, 1)).isEqualTo(SECOND);
	}

}
