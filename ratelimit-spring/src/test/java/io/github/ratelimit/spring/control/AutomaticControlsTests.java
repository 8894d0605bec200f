package io.github.ratelimit.spring.control;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AutomaticControlsTests {

	private static final Pause PARTNER = new Pause("api", "partner.example");

	private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");

	private final ControlStore store = new MemoryControlStore(InstantSource.fixed(NOW));

	private final ControlledInstance instance = new ControlledInstance(new MemoryRateLimitStore(10), this.store);

	private final Controls controls = this.instance.controls();

	private final List<Runnable> tasks = new ArrayList<>();

	private final AtomicLong nanos = new AtomicLong();

	private final AutomaticControls automatic = new AutomaticControls(this.instance::controls, this.tasks::add,
			this.nanos::get);

	private final List<String> known = new ArrayList<>();

	@Test
	void setsAControlForTheRestOfItsTime() {
		set(PARTNER, 10);
		assertThat(this.controls.active()).isEmpty();
		run(4);
		assertThat(this.controls.active()).singleElement()
			.satisfies((pause) -> assertThat(seconds(pause)).isEqualTo(6),
					(pause) -> assertThat(pause.control()).isEqualTo(PARTNER));
		assertThat(this.known).containsExactly("pause");
	}

	@Test
	void setsNoControlWhoseTimeIsOver() {
		set(PARTNER, 4);
		run(4);
		assertThat(this.controls.active()).isEmpty();
		assertThat(this.known).isEmpty();
	}

	@Test
	void keepsAControlThatLastsLonger() {
		this.controls.set(PARTNER, Duration.ofMinutes(1));
		set(PARTNER, 10);
		run(0);
		assertThat(this.controls.active()).singleElement()
			.satisfies((pause) -> assertThat(seconds(pause)).isEqualTo(60));
		set(PARTNER, 70);
		run(0);
		assertThat(this.controls.active()).singleElement()
			.satisfies((pause) -> assertThat(seconds(pause)).isEqualTo(70));
		assertThat(this.known).containsExactly("pause", "pause");
	}

	@Test
	void reportsEachBanThatItSetsAndNoPause() {
		Ban ban = new Ban("api", "principal:eve");
		set(ban, 10);
		set(ban, 5);
		set(PARTNER, 10);
		run(0);
		ActiveControl set = this.controls.active()
			.stream()
			.filter((active) -> active.control().equals(ban))
			.findFirst()
			.orElseThrow();
		assertThat(this.instance.events()).containsExactly(new ControlEvent(ControlEvent.Kind.SET, set.id(), set));
		assertThat(this.controls.active()).extracting(ActiveControl::origin)
			.containsExactlyInAnyOrder(Origin.PENALTY, Origin.UPSTREAM);
	}

	@Test
	void keepsABanWithoutAnEnd() {
		Ban ban = new Ban("api", "principal:eve");
		this.controls.set(ban, null);
		set(ban, 10);
		run(0);
		assertThat(this.controls.active()).singleElement().satisfies((active) -> assertThat(active.until()).isNull());
	}

	@Test
	void bansAlthoughUpstreamsDemandManyPauses() {
		for (int upstream = 0; upstream < 999; upstream++) {
			ActiveControl pause = new ActiveControl(new Pause("api", "host-" + upstream), NOW, NOW.plusSeconds(60));
			this.store.put(pause.id(), ControlText.write(pause), pause.until());
		}
		set(PARTNER, 60);
		set(new Pause("api", "other.example"), 60);
		run(0);
		assertThat(this.controls.count("pause")).isEqualTo(1_000);
		set(new Ban("api", "principal:eve"), 60);
		run(0);
		assertThat(this.controls.count("ban")).isEqualTo(1);
	}

	private void set(Control.OfKey control, long seconds) {
		this.automatic.set(control, Duration.ofSeconds(seconds), () -> this.known.add(control.kind()));
	}

	/** Runs the tasks some time later. */
	private void run(long seconds) {
		this.nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
		this.tasks.forEach(Runnable::run);
		this.tasks.clear();
	}

	private static long seconds(ActiveControl control) {
		return Duration.between(control.since(), control.until()).toSeconds();
	}

}
