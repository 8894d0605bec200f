package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.time.Instant;

/** The pauses of upstreams, on a clock that a test moves. */
public final class SteppedPauses {

	private Duration passed = Duration.ZERO;

	private final UpstreamPauses pauses = new UpstreamPauses(new OutboundClock() {

		@Override
		public long nanos() {
			return SteppedPauses.this.passed.toNanos();
		}

		@Override
		public Instant date() {
			return Instant.parse("2026-11-21T12:00:00Z").plus(SteppedPauses.this.passed);
		}

		@Override
		public void sleep(Duration duration) {
			throw new UnsupportedOperationException();
		}

	});

	/**
	 * Returns the pauses.
	 * @return the pauses
	 */
	public UpstreamPauses pauses() {
		return this.pauses;
	}

	/**
	 * Moves the clock.
	 * @param duration how far
	 */
	public void pass(Duration duration) {
		this.passed = this.passed.plus(duration);
	}

}
