package io.github.ratelimit.spring.control;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Grant;
import io.github.ratelimit.spring.control.Control.Limits;
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of controls that begin later than they are set.
 */
@ExtendWith(OutputCaptureExtension.class)
class TimedControlsTests {

	private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");

	private static final Instant FRIDAY = Instant.parse("2026-11-27T00:00:00Z");

	private static final Instant MONDAY = Instant.parse("2026-11-30T00:00:00Z");

	private static final String ALICE = "principal:alice";

	private final AtomicReference<Instant> now = new AtomicReference<>(NOW);

	private final ControlStore store = new MemoryControlStore(this.now::get);

	private final ControlledInstance instance = new ControlledInstance(new MemoryRateLimitStore(1000), this.store);

	private final Controls controls = this.instance.controls();

	@Test
	void changesAPolicyFromItsBeginToItsEnd(CapturedOutput output) {
		ActiveControl sale = set(new Change("api", List.of("500/1m"), null, null), ControlTime.until(MONDAY));
		assertThat(sale.id()).isEqualTo("change-api@2026-11-27T00:00:00Z");
		assertWaiting(sale);
		at(FRIDAY.minusSeconds(1));
		assertThat(limits()).isEqualTo("[2/1h]");
		assertWaiting(sale);
		at(FRIDAY);
		assertThat(limits()).isEqualTo("[500/1m]");
		assertThat(this.controls.active()).containsExactly(sale);
		assertThat(this.controls.waiting()).isEmpty();
		assertThat(this.controls.count("change")).isOne();
		assertThat(output).containsOnlyOnce("The control 'change-api@2026-11-27T00:00:00Z' of policy 'api' is in "
				+ "effect now until 2026-11-30T00:00:00Z");
		at(MONDAY);
		assertThat(limits()).isEqualTo("[2/1h]");
		assertThat(this.controls.active()).isEmpty();
		assertThat(this.instance.events()).singleElement()
			.satisfies((event) -> assertThat(event.control()).isEqualTo(sale));
	}

	@Test
	void doesNotSayThatAControlIsInEffectThatDoesNotFit(CapturedOutput output) {
		ActiveControl sale = set(new Change("api", List.of("500/1m"), null, null), ControlTime.until(MONDAY));
		this.controls.configure(List.of(), Set.of("api"));
		at(FRIDAY);
		assertThat(this.controls.skipped()).containsOnlyKeys(sale.id());
		assertThat(output).doesNotContain("is in effect now");
	}

	@Test
	void takesTheLatestOfSeveralThatHaveBegun() {
		ActiveControl always = this.controls.set(new Change("api", List.of("5/1h"), null, null), null);
		ActiveControl sale = set(new Change("api", List.of("500/1m"), null, null), ControlTime.until(MONDAY));
		assertThat(limits()).isEqualTo("[5/1h]");
		assertThat(this.controls.active()).containsExactly(always);
		at(FRIDAY);
		assertThat(limits()).isEqualTo("[500/1m]");
		assertWaiting(always);
		assertThat(this.controls.active()).containsExactly(sale);
		ActiveControl later = this.controls.set(new Change("api", List.of("7/1h"), null, null), Duration.ofHours(1));
		assertThat(limits()).isEqualTo("[7/1h]");
		assertThat(this.controls.active()).containsExactly(later);
		at(FRIDAY.plus(Duration.ofHours(2)));
		assertThat(limits()).isEqualTo("[500/1m]");
		this.controls.lift(sale.id());
		assertThat(limits()).isEqualTo("[2/1h]");
	}

	@Test
	void replacesTheOneOfTheSameBegin() {
		set(new Change("api", List.of("500/1m"), null, null), ControlTime.until(MONDAY));
		ActiveControl sale = this.controls
			.replace(new Change("api", List.of("9/1m"), null, null), ControlTime.EVER.from(FRIDAY), Origin.APPLICATION)
			.control();
		assertWaiting(sale);
		at(MONDAY);
		assertThat(limits()).isEqualTo("[9/1m]");
	}

	@Test
	void bansBlocksAndPausesNobodyBeforeTheirBegin() {
		set(new Ban("api", ALICE), ControlTime.until(MONDAY));
		set(new Block("principal:eve"), ControlTime.EVER);
		set(new Pause("api", "partner.example"), ControlTime.until(MONDAY));
		assertThat(this.controls.active()).isEmpty();
		assertThat(List.of("ban", "block", "pause")).allMatch((kind) -> this.controls.count(kind) == 0);
		assertThat(isBanned()).isFalse();
		assertThat(this.instance.isBanned("192.0.2.1", "eve")).isFalse();
		assertThat(this.controls.pauseLeft("api", "partner.example")).isZero();
		at(FRIDAY);
		assertThat(isBanned()).isTrue();
		assertThat(this.instance.isBanned("192.0.2.1", "eve")).isTrue();
		assertThat(this.controls.pauseLeft("api", "partner.example")).isCloseTo(Duration.ofDays(3),
				Duration.ofSeconds(30));
		assertThat(List.of("ban", "block", "pause")).allMatch((kind) -> this.controls.count(kind) == 1);
	}

	@Test
	void grantsForTheTimeFromTheBegin() {
		set(new Grant("api", ALICE, 3), ControlTime.lasting(Duration.ofHours(2)));
		set(new Limits("site", "client-ip:192.0.2.1", List.of("4/1h")), ControlTime.lasting(Duration.ofHours(2)));
		assertThat(admitted("api", ALICE)).isEqualTo(2);
		assertThat(admitted("site", "client-ip:192.0.2.1")).isEqualTo(2);
		at(FRIDAY);
		assertThat(this.instance.policies().controls().of("api", ALICE).grant()).isNotNull()
			.satisfies((grant) -> assertThat(grant.limit().period()).isEqualTo("2h"));
		assertThat(admitted("api", ALICE)).isEqualTo(3);
		assertThat(admitted("site", "client-ip:192.0.2.1")).isEqualTo(2);
		at(FRIDAY.plus(Duration.ofHours(2)));
		assertThat(this.controls.active()).isEmpty();
	}

	@Test
	void beginsAlthoughTheStoreFails() {
		ActiveControl ban = new ActiveControl(new Ban("api", ALICE), Origin.APPLICATION, NOW, FRIDAY, MONDAY);
		KnownControls known = new KnownControls(new ControlEffects(this.instance.policies(),
				this.instance.keys().bans(), new MemoryRateLimitStore(10), (event) -> {
				}, (policy, key) -> {
				}));
		known.apply(new ControlStore.Changes(new Revision("", 1, Map.of()), FRIDAY.minusMillis(1), false, true,
				Map.of(ban.id(), ControlText.write(ban)), List.of()));
		assertThat(isBanned()).isFalse();
		long begun = System.nanoTime();
		while (System.nanoTime() - begun < Duration.ofMillis(2).toNanos()) {
			Thread.onSpinWait();
		}
		known.apply(Map.of());
		assertThat(isBanned()).isTrue();
	}

	@Test
	void startsWithWhatIsWaiting() {
		set(new Ban("api", ALICE), ControlTime.until(MONDAY));
		ControlledInstance restarted = new ControlledInstance(new MemoryRateLimitStore(1000), this.store);
		restarted.controls().refresh();
		assertThat(restarted.controls().waiting()).hasSize(1);
		this.now.set(FRIDAY);
		restarted.controls().refresh();
		assertThat(restarted.controls().active()).hasSize(1);
		assertThat(restarted.policies().controls().of("api", ALICE).banned()).isTrue();
	}

	@Test
	void skipsAWaitingControlThatDoesNotFit() {
		ActiveControl misfit = new ActiveControl(new Ban("gone", ALICE), Origin.APPLICATION, NOW, FRIDAY, MONDAY);
		this.store.put(misfit.id(), ControlText.write(misfit), MONDAY);
		this.controls.refresh();
		assertThat(this.controls.waiting()).isEmpty();
		assertThat(this.controls.skipped()).containsOnlyKeys(misfit.id());
		assertThat(this.controls.countSkipped()).isOne();
		assertThat(this.controls.count("ban")).isZero();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			2026-11-22T10:00:00Z | the control begins at 2026-11-22T10:00:00Z, but it is 2026-11-22T10:00:0
			2000-01-01T00:00:00Z | write a 'from' within the next 366d, or leave it out to begin at once
			2027-11-24T10:01:00Z | write a 'from' within the next 366d, or leave it out to begin at once
			""")
	void beginsNeitherNowNorTooLate(String from, String message) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.controls.replace(new Ban("api", ALICE), ControlTime.EVER.from(Instant.parse(from)),
					Origin.APPLICATION))
			.withMessageContaining(message);
		assertThat(this.controls.waiting()).isEmpty();
	}

	@Test
	void endsAfterItsBegin() {
		assertThatIllegalArgumentException().isThrownBy(() -> ControlTime.until(FRIDAY).from(MONDAY))
			.withMessage("the control begins at 2026-11-30T00:00:00Z, but ends at 2026-11-27T00:00:00Z: "
					+ "write an earlier 'from' or a later 'until'");
		assertThatIllegalArgumentException().isThrownBy(() -> ControlTime.until(FRIDAY).from(FRIDAY));
	}

	@Test
	void readsWhatItWrites() {
		ActiveControl waiting = new ActiveControl(new Ban("api", ALICE), Origin.PENALTY, NOW, FRIDAY, MONDAY);
		assertThat(ControlText.read(ControlText.write(waiting))).isEqualTo(waiting);
		assertThat(ControlText.write(waiting)).contains("&from=2026-11-27T00%3A00%3A00Z&");
	}

	private ActiveControl set(Control control, ControlTime time) {
		return this.controls.replace(control, time.from(FRIDAY), Origin.APPLICATION).control();
	}

	private void at(Instant time) {
		this.now.set(time);
		this.controls.refresh();
	}

	private void assertWaiting(ActiveControl control) {
		assertThat(this.controls.waiting()).containsExactly(control);
	}

	private String limits() {
		Policies policies = this.instance.policies();
		return policies.get("api").limits().toString();
	}

	private boolean isBanned() {
		return this.instance.policies().controls().of("api", ALICE).banned();
	}

	private int admitted(String policy, String key) {
		int admitted = 0;
		while (this.instance.isAllowed(policy, key)) {
			admitted++;
		}
		return admitted;
	}

}
