package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.spring.control.AutomaticControls;
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.control.ControlledInstance;
import io.github.ratelimit.spring.control.MemoryControlStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class UpstreamPausesTests {

	private static final Subject PARTNER = new Subject("api", "partner.example");

	private final SteppedOutboundClock clock = new SteppedOutboundClock();

	private final UpstreamPauses pauses = new UpstreamPauses(this.clock);

	private final ControlStore store = new MemoryControlStore(InstantSource.system());

	private final ControlledInstance own = new ControlledInstance(new MemoryRateLimitStore(10), this.store);

	private final ControlledInstance other = new ControlledInstance(new MemoryRateLimitStore(10), this.store);

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

	@Test
	void sharesPausesWithOtherInstances() {
		UpstreamPauses other = pauses(this.other);
		UpstreamPauses own = pauses(this.own);
		own.pause(PARTNER, Duration.ofSeconds(50));
		assertThat(other.left(PARTNER)).isZero();
		this.other.controls().refresh();
		assertThat(other.left(PARTNER)).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(50));
		assertThat(other.left(upstream(1))).isZero();
		assertThat(own.left(PARTNER)).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(50));
	}

	@Test
	void endsAPauseOnAllInstancesWhenItIsLifted() {
		UpstreamPauses own = pauses(this.own);
		own.pause(PARTNER, Duration.ofSeconds(50));
		this.other.controls().refresh();
		assertThat(this.other.controls().active()).singleElement()
			.satisfies((pause) -> assertThat(this.other.controls().lift(pause.id())).isTrue());
		this.own.controls().refresh();
		assertThat(own.left(PARTNER)).isZero();
		assertThat(pauses(this.other).left(PARTNER)).isZero();
	}

	@Test
	void keepsAPauseThatCannotBeShared() {
		UpstreamPauses own = new UpstreamPauses(this.clock, new AutomaticControls(this.own::controls, (task) -> {
		}, System::nanoTime));
		own.pause(PARTNER, Duration.ofSeconds(50));
		assertThat(own.left(PARTNER)).hasSeconds(50);
		this.own.controls().set(new Pause("api", "partner.example"), Duration.ofSeconds(50));
		assertThat(own.left(PARTNER)).hasSeconds(50);
	}

	@Test
	void extendsASharedPause() {
		UpstreamPauses own = pauses(this.own);
		own.pause(PARTNER, Duration.ofSeconds(5));
		own.pause(PARTNER, Duration.ofSeconds(50));
		assertThat(own.left(PARTNER)).isGreaterThan(Duration.ofSeconds(20));
		this.other.controls().refresh();
		assertThat(pauses(this.other).left(PARTNER)).isGreaterThan(Duration.ofSeconds(20));
	}

	@Test
	void sharesNoExtensionOfLessThanASecond() {
		List<Runnable> shared = new ArrayList<>();
		UpstreamPauses own = new UpstreamPauses(this.clock,
				new AutomaticControls(this.own::controls, shared::add, System::nanoTime));
		own.pause(PARTNER, Duration.ofSeconds(5));
		own.pause(PARTNER, Duration.ofMillis(5_999));
		assertThat(shared).hasSize(1);
		assertThat(own.left(PARTNER)).isEqualTo(Duration.ofMillis(5_999));
		own.pause(PARTNER, Duration.ofMillis(6_999));
		assertThat(shared).hasSize(2);
		shared.get(1).run();
		assertThat(this.own.controls().active()).singleElement()
			.satisfies((pause) -> assertThat(this.own.controls().lift(pause.id())).isTrue());
		assertThat(own.left(PARTNER)).isZero();
	}

	private UpstreamPauses pauses(ControlledInstance instance) {
		return new UpstreamPauses(this.clock,
				new AutomaticControls(instance::controls, Runnable::run, System::nanoTime));
	}

	private void pause(Subject upstream, long seconds) {
		this.pauses.pause(upstream, Duration.ofSeconds(seconds));
	}

	private static Subject upstream(int index) {
		return new Subject("api", "key-" + index);
	}

}
