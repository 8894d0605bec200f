package io.github.ratelimit.spring.client;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UpstreamsTests {

	private static final Upstream PARTNER = new Upstream("partner", "partner.example");

	private final SteppedTime time = new SteppedTime();

	private final Upstreams upstreams = new Upstreams(this.time);

	@Test
	void leavesAnUpstreamAloneForTheLongerOfTwoTimes() {
		leaveAlone(PARTNER, 9);
		leaveAlone(PARTNER, 5);
		assertThat(this.upstreams.left(PARTNER)).hasSeconds(9);
		leaveAlone(PARTNER, 12);
		assertThat(this.upstreams.left(PARTNER)).hasSeconds(12);
	}

	@Test
	void leavesAnUpstreamAloneNoLongerThanUntilThen() {
		leaveAlone(PARTNER, 9);
		this.time.pass(Duration.ofSeconds(10));
		assertThat(this.upstreams.left(PARTNER)).isZero();
		leaveAlone(PARTNER, -9);
		assertThat(this.upstreams.left(PARTNER)).isZero();
	}

	@Test
	void remembersTheLastThousandThatAsked() {
		leaveAlone(PARTNER, 30);
		leaveAlone(upstream(0), 30);
		leaveAlone(PARTNER, 31);
		for (int index = 1; index < 1_000; index++) {
			leaveAlone(upstream(index), 30);
		}
		assertThat(this.upstreams.left(upstream(0))).isZero();
		assertThat(this.upstreams.left(upstream(1))).hasSeconds(30);
		assertThat(this.upstreams.left(PARTNER)).hasSeconds(31);
	}

	private void leaveAlone(Upstream upstream, long seconds) {
		this.upstreams.leaveAlone(upstream, Duration.ofSeconds(seconds));
	}

	private static Upstream upstream(int index) {
		return new Upstream("partner", "key-" + index);
	}

}
