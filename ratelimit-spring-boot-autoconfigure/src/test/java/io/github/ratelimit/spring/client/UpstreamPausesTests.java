package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.Policy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class UpstreamPausesTests {

	private static final Upstream PARTNER = new Upstream("partner", "partner.example");

	private final SteppedOutboundClock clock = new SteppedOutboundClock();

	private final UpstreamPauses pauses = new UpstreamPauses(this.clock);

	@Test
	void keepsTheLongerOfTwoPauses() {
		pause(PARTNER, 9);
		pause(PARTNER, 5);
		assertThat(this.pauses.left(PARTNER)).hasSeconds(9);
		pause(PARTNER, 12);
		assertThat(this.pauses.left(PARTNER)).hasSeconds(12);
	}

	@Test
	void endsAPauseAfterItsTime() {
		pause(PARTNER, 9);
		this.clock.pass(Duration.ofSeconds(10));
		assertThat(this.pauses.left(PARTNER)).isZero();
		pause(PARTNER, -9);
		assertThat(this.pauses.left(PARTNER)).isZero();
	}

	@Test
	void keepsTheLastThousandPauses() {
		pause(PARTNER, 30);
		pause(upstream(0), 30);
		pause(PARTNER, 31);
		for (int index = 1; index < 1_000; index++) {
			pause(upstream(index), 30);
		}
		assertThat(this.pauses.left(upstream(0))).isZero();
		assertThat(this.pauses.left(upstream(1))).hasSeconds(30);
		assertThat(this.pauses.left(PARTNER)).hasSeconds(31);
	}

	@Test
	void refusesCallsThatArePaused() {
		Policy policy = new Policy("partner", List.of(Limit.parse("5/1m", Algorithm.TOKEN_BUCKET)),
				List.of(Policy.EVERYONE));
		this.pauses.requireRunning(policy, "partner.example");
		this.pauses.pause("partner", "partner.example", Duration.ofSeconds(9));
		this.pauses.requireRunning(policy, "other.example");
		assertThatExceptionOfType(UpstreamPausedException.class)
			.isThrownBy(() -> this.pauses.requireRunning(policy, "partner.example"))
			.satisfies((ex) -> assertThat(ex.getDecision().retryAfterMicros()).isEqualTo(9_000_000));
		this.clock.pass(Duration.ofSeconds(9));
		this.pauses.requireRunning(policy, "partner.example");
	}

	private void pause(Upstream upstream, long seconds) {
		this.pauses.pause(upstream, Duration.ofSeconds(seconds));
	}

	private static Upstream upstream(int index) {
		return new Upstream("partner", "key-" + index);
	}

}
