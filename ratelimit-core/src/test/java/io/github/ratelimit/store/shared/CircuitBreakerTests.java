package io.github.ratelimit.store.shared;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.shared.CircuitBreaker.Pass;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CircuitBreakerTests {

	private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	/**
	 * A clock that starts where a difference of instants overflows if these are compared
	 * wrongly.
	 */
	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 100 * MILLI);

	private final CircuitBreaker breaker = new CircuitBreaker(this.clock::get);

	@Test
	void opensOnFiveFailuresInARow() {
		fail(4);
		assertThat(this.breaker.state()).isEqualTo(BreakerState.CLOSED);
		fail(1);
		assertThat(this.breaker.state()).isEqualTo(BreakerState.OPEN);
		assertThat(this.breaker.tryPass(true)).isEqualTo(Pass.NONE);
	}

	@Test
	void staysClosedIfASuccessIsBetweenFailures() {
		fail(4);
		succeed(1);
		fail(4);
		assertThat(this.breaker.tryPass(true)).isEqualTo(Pass.RUN);
	}

	@Test
	void opensWhenMoreThanHalfOfTheLastTwentyFailed() {
		for (int pair = 0; pair < 10; pair++) {
			fail(1);
			succeed(1);
		}
		assertThat(this.breaker.state()).isEqualTo(BreakerState.CLOSED);
		succeed(1);
		fail(2);
		succeed(1);
		fail(3);
		assertThat(this.breaker.state()).isEqualTo(BreakerState.OPEN);
	}

	@Test
	void ignoresOutcomesBeforeTheLastTwenty() {
		fail(4);
		succeed(1);
		fail(4);
		succeed(20);
		fail(4);
		succeed(1);
		fail(4);
		assertThat(this.breaker.state()).isEqualTo(BreakerState.CLOSED);
	}

	@Test
	void closesWithTheFirstProbeThatSucceeds() {
		fail(5);
		this.clock.addAndGet(1000 * MILLI);
		assertThat(this.breaker.tryPass(true)).isEqualTo(Pass.PROBE);
		assertThat(this.breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
		this.breaker.onSuccess(Pass.PROBE);
		assertThat(this.breaker.state()).isEqualTo(BreakerState.CLOSED);
		fail(4);
		assertThat(this.breaker.tryPass(true)).isEqualTo(Pass.RUN);
	}

	@Test
	void staysOpenIfAnEarlierRunSucceeds() {
		fail(5);
		this.breaker.onSuccess(Pass.RUN);
		assertThat(this.breaker.tryPass(true)).isEqualTo(Pass.NONE);
	}

	@Test
	void staysOpenWhenAProbeFails() {
		fail(5);
		this.clock.addAndGet(1000 * MILLI);
		assertThat(this.breaker.tryPass(true)).isEqualTo(Pass.PROBE);
		this.breaker.onFailure(Pass.PROBE, 1);
		assertThat(this.breaker.state()).isEqualTo(BreakerState.OPEN);
		assertThat(this.breaker.tryPass(true)).isEqualTo(Pass.NONE);
	}

	@Test
	void staysClosedIfAnEarlierProbeFailsLate() {
		fail(5);
		for (int probe = 0; probe < 2; probe++) {
			this.clock.addAndGet(1000 * MILLI);
			assertThat(this.breaker.tryPass(true)).isEqualTo(Pass.PROBE);
		}
		this.breaker.onSuccess(Pass.PROBE);
		this.breaker.onFailure(Pass.PROBE, 1);
		assertThat(this.breaker.state()).isEqualTo(BreakerState.CLOSED);
	}

	@Test
	void passesOneProbeIn200To1000Milliseconds() {
		List<Long> pauses = new ArrayList<>();
		fail(5);
		for (int probe = 0; probe < 500; probe++) {
			long from = this.clock.get();
			while (this.breaker.tryPass(true) == Pass.NONE) {
				this.clock.addAndGet(10 * MILLI);
			}
			this.breaker.onFailure(Pass.PROBE, 1);
			pauses.add((this.clock.get() - from) / MILLI);
		}
		assertThat(pauses).allMatch((pause) -> pause >= 200 && pause <= 1010);
		assertThat(pauses).anyMatch((pause) -> pause < 300).anyMatch((pause) -> pause > 900);
	}

	@Test
	void staysClosedIfRepliesArriveLate() {
		for (int round = 0; round < 100; round++) {
			fail(4);
			for (int reply = 0; reply < 4; reply++) {
				this.breaker.onLateReply();
			}
		}
		assertThat(this.breaker.state()).isEqualTo(BreakerState.CLOSED);
	}

	@Test
	void probesAtOnceAfterALateReply() {
		fail(5);
		assertThat(this.breaker.tryPass(true)).isEqualTo(Pass.NONE);
		this.breaker.onLateReply();
		assertThat(this.breaker.state()).isEqualTo(BreakerState.OPEN);
		assertThat(this.breaker.tryPass(true)).isEqualTo(Pass.PROBE);
		assertThat(this.breaker.tryPass(true)).isEqualTo(Pass.NONE);
	}

	@Test
	void probesWithNoBatch() {
		fail(5);
		this.clock.addAndGet(1000 * MILLI);
		assertThat(this.breaker.tryPass(false)).isEqualTo(Pass.NONE);
		assertThat(this.breaker.tryPass(true)).isEqualTo(Pass.PROBE);
	}

	@Test
	void suspectsTheConnectionOnceInTwoSeconds() {
		fail(5);
		this.clock.addAndGet(1999 * MILLI);
		assertThat(this.breaker.trySuspectConnection()).isFalse();
		this.clock.addAndGet(MILLI);
		assertThat(this.breaker.trySuspectConnection()).isTrue();
		assertThat(this.breaker.trySuspectConnection()).isFalse();
		this.clock.addAndGet(2000 * MILLI);
		assertThat(this.breaker.trySuspectConnection()).isTrue();
	}

	private void fail(int times) {
		for (int time = 0; time < times; time++) {
			this.breaker.onFailure(Pass.RUN, 1);
		}
	}

	private void succeed(int times) {
		for (int time = 0; time < times; time++) {
			this.breaker.onSuccess(Pass.RUN);
		}
	}

}
