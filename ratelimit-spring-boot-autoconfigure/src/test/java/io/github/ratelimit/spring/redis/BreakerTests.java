package io.github.ratelimit.spring.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.spring.redis.Breaker.Pass;
import io.github.ratelimit.store.BreakerState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BreakerTests {

	private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	/** Begins where a difference of instants overflows, if they are compared wrongly. */
	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 100 * MILLI);

	private final Breaker breaker = new Breaker(this.clock::get);

	@Test
	void opensOnFiveFailuresInARow() {
		fail(4);
		assertThat(this.breaker.state()).isEqualTo(BreakerState.CLOSED);
		fail(1);
		assertThat(this.breaker.state()).isEqualTo(BreakerState.OPEN);
		assertThat(this.breaker.ask(true)).isEqualTo(Pass.NONE);
	}

	@Test
	void staysClosedWhereASuccessIsBetweenFailures() {
		fail(4);
		succeed(1);
		fail(4);
		assertThat(this.breaker.ask(true)).isEqualTo(Pass.CALL);
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
	void forgetsWhatIsOlderThanTwentyCalls() {
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
		assertThat(this.breaker.ask(true)).isEqualTo(Pass.PROBE);
		assertThat(this.breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
		this.breaker.succeeded(Pass.PROBE);
		assertThat(this.breaker.state()).isEqualTo(BreakerState.CLOSED);
		fail(4);
		assertThat(this.breaker.ask(true)).isEqualTo(Pass.CALL);
	}

	@Test
	void staysOpenWhenACallSucceedsThatPassedBefore() {
		fail(5);
		this.breaker.succeeded(Pass.CALL);
		assertThat(this.breaker.ask(true)).isEqualTo(Pass.NONE);
	}

	@Test
	void staysOpenWhenAProbeFails() {
		fail(5);
		this.clock.addAndGet(1000 * MILLI);
		assertThat(this.breaker.ask(true)).isEqualTo(Pass.PROBE);
		this.breaker.failed(Pass.PROBE, 1);
		assertThat(this.breaker.state()).isEqualTo(BreakerState.OPEN);
		assertThat(this.breaker.ask(true)).isEqualTo(Pass.NONE);
	}

	@Test
	void passesOneProbeIn200To1000Milliseconds() {
		List<Long> pauses = new ArrayList<>();
		fail(5);
		for (int probe = 0; probe < 500; probe++) {
			long from = this.clock.get();
			while (this.breaker.ask(true) == Pass.NONE) {
				this.clock.addAndGet(10 * MILLI);
			}
			this.breaker.failed(Pass.PROBE, 1);
			pauses.add((this.clock.get() - from) / MILLI);
		}
		assertThat(pauses).allMatch((pause) -> pause >= 200 && pause <= 1010);
		assertThat(pauses).anyMatch((pause) -> pause < 300).anyMatch((pause) -> pause > 900);
	}

	@Test
	void staysClosedWhereRepliesArriveTooLate() {
		for (int call = 0; call < 100; call++) {
			fail(4);
			for (int reply = 0; reply < 4; reply++) {
				this.breaker.answersTooLate();
			}
		}
		assertThat(this.breaker.state()).isEqualTo(BreakerState.CLOSED);
	}

	@Test
	void probesAtOnceWhenAReplyArrivesTooLate() {
		fail(5);
		assertThat(this.breaker.ask(true)).isEqualTo(Pass.NONE);
		this.breaker.answersTooLate();
		assertThat(this.breaker.state()).isEqualTo(BreakerState.OPEN);
		assertThat(this.breaker.ask(true)).isEqualTo(Pass.PROBE);
		assertThat(this.breaker.ask(true)).isEqualTo(Pass.NONE);
	}

	@Test
	void hasNoCallsProbeTogether() {
		fail(5);
		this.clock.addAndGet(1000 * MILLI);
		assertThat(this.breaker.ask(false)).isEqualTo(Pass.NONE);
		assertThat(this.breaker.ask(true)).isEqualTo(Pass.PROBE);
	}

	@Test
	void suspectsTheConnectionOnceInTwoSeconds() {
		fail(5);
		this.clock.addAndGet(1999 * MILLI);
		assertThat(this.breaker.suspectsConnection()).isFalse();
		this.clock.addAndGet(MILLI);
		assertThat(this.breaker.suspectsConnection()).isTrue();
		assertThat(this.breaker.suspectsConnection()).isFalse();
		this.clock.addAndGet(2000 * MILLI);
		assertThat(this.breaker.suspectsConnection()).isTrue();
	}

	private void fail(int times) {
		for (int time = 0; time < times; time++) {
			this.breaker.failed(Pass.CALL, 1);
		}
	}

	private void succeed(int times) {
		for (int time = 0; time < times; time++) {
			this.breaker.succeeded(Pass.CALL);
		}
	}

}
