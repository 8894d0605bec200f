package io.github.ratelimit.spring.control;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.KeyControls;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.ForkedHeap;
import io.github.ratelimit.spring.control.ActiveControl.Replacement;
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
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests of controls on one instance.
 */
@ExtendWith(OutputCaptureExtension.class)
class ControlsTests {

	private static final Logger LOGGER = LoggerFactory.getLogger(ControlsTests.class);

	private static final Duration HOUR = Duration.ofHours(1);

	private static final String LATER = "2026-11-22T18:00:00Z";

	private static final String ALICE = "principal:alice";

	private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-22T10:00:00Z"));

	private final InstantSource clock = this.now::get;

	private final ControlStore store = new MemoryControlStore(this.clock);

	private final ControlledInstance instance = new ControlledInstance(new MemoryRateLimitStore(1000), this.store);

	private final Controls controls = this.instance.controls();

	@Test
	void bansAKeyUntilTheBanIsLifted() {
		ActiveControl ban = this.controls.set(new Ban("api", ALICE), null);
		assertThatExceptionOfType(BlockedCallerException.class).isThrownBy(() -> this.instance.isAllowed("api", ALICE));
		assertThat(this.controls.lift(ban.id())).isTrue();
		assertThat(this.instance.isAllowed("api", ALICE)).isTrue();
		assertThat(this.controls.lift(ban.id())).isFalse();
	}

	@Test
	void bansCallersByAddressAndPrincipal() {
		ActiveControl network = this.controls.set(new Block("ip:192.0.2.0/24"), HOUR);
		this.controls.set(new Block("principal:eve"), HOUR);
		assertThat(this.instance.isBanned("192.0.2.7", "alice")).isTrue();
		assertThat(this.instance.isBanned("::ffff:192.0.2.7", "alice")).isTrue();
		assertThat(this.instance.isBanned("192.0.3.7", "alice")).isFalse();
		assertThat(this.instance.isBanned("192.0.3.7", "eve")).isTrue();
		this.controls.lift(network.id());
		assertThat(this.instance.isBanned("192.0.2.7", "alice")).isFalse();
	}

	@Test
	void bansNobodyWithoutAPrincipalByAName() {
		this.controls.set(new Block("principal:null"), HOUR);
		assertThat(this.instance.isBanned("192.0.2.7", null)).isFalse();
		assertThat(this.instance.isBanned("192.0.2.7", "null")).isTrue();
	}

	@Test
	void grantsPermitsBeyondTheLimits() {
		this.controls.set(new Grant("api", ALICE, 3), HOUR);
		for (int call = 0; call < 5; call++) {
			assertThat(this.instance.isAllowed("api", ALICE)).as("call %d", call).isTrue();
		}
		assertThat(this.instance.isAllowed("api", ALICE)).isFalse();
	}

	@Test
	void startsAnewWithAnotherGrant() {
		this.controls.set(new Grant("api", ALICE, 1), HOUR);
		while (this.instance.isAllowed("api", ALICE)) {
			assertThat(this.instance.controls().active()).hasSize(1);
		}
		this.now.updateAndGet((time) -> time.plusSeconds(1));
		this.controls.set(new Grant("api", ALICE, 1), HOUR);
		assertThat(this.instance.isAllowed("api", ALICE)).isTrue();
		assertThat(this.instance.isAllowed("api", ALICE)).isFalse();
	}

	@Test
	void changesTheLimitsOfAKey() {
		this.controls.set(new Limits("api", ALICE, List.of("4/1h")), HOUR);
		for (int call = 0; call < 4; call++) {
			assertThat(this.instance.isAllowed("api", ALICE)).as("call %d", call).isTrue();
		}
		assertThat(this.instance.isAllowed("api", ALICE)).isFalse();
	}

	@Test
	void pausesAnUpstreamUntilThePauseIsLiftedOrEnds() {
		Object edition = this.instance.policies().edition();
		ActiveControl pause = this.controls.set(new Pause("api", "partner.example"), HOUR);
		assertThat(this.instance.policies().edition()).isSameAs(edition);
		assertThat(this.controls.pauseLeft("api", "partner.example")).isCloseTo(HOUR, Duration.ofSeconds(30));
		assertThat(this.controls.pauseLeft("site", "partner.example")).isZero();
		assertThat(this.instance.isAllowed("api", "partner.example")).isTrue();
		this.controls.lift(pause.id());
		assertThat(this.controls.pauseLeft("api", "partner.example")).isZero();
		this.controls.set(new Pause("api", "partner.example"), HOUR);
		this.now.updateAndGet((time) -> time.plus(HOUR).plusSeconds(30));
		this.controls.refresh();
		assertThat(this.controls.pauseLeft("api", "partner.example")).isZero();
	}

	@Test
	void changesAPolicyAndRestoresIt() {
		Policy configured = this.instance.policies().get("api");
		ActiveControl change = this.controls
			.set(new Change("api", List.of("5/1h"), EnforcementMode.SHADOW, OnStoreFailure.DENY), null);
		assertThat(this.instance.policies().get("api")).satisfies(
				(policy) -> assertThat(policy.limits()).hasToString("[5/1h]"),
				(policy) -> assertThat(policy.standard().mode()).isEqualTo(EnforcementMode.SHADOW),
				(policy) -> assertThat(policy.options().onStoreFailure()).isEqualTo(OnStoreFailure.DENY));
		this.controls.set(new Change("api", List.of("6/1h"), null, null), null);
		assertThat(this.instance.policies().get("api")).satisfies(
				(policy) -> assertThat(policy.limits()).hasToString("[6/1h]"),
				(policy) -> assertThat(policy.standard().mode()).isEqualTo(EnforcementMode.ENFORCE));
		this.controls.lift(change.id());
		assertThat(this.instance.policies().get("api")).isEqualTo(configured);
	}

	@Test
	void endsControlsAtTheirTime() {
		this.controls.set(new Ban("api", ALICE), HOUR);
		this.controls.set(new Change("api", List.of("5/1h"), null, null), HOUR);
		this.now.updateAndGet((time) -> time.plus(HOUR).plusSeconds(1));
		this.controls.set(new Block("principal:eve"), null);
		assertThat(this.controls.active()).extracting((active) -> active.control().kind()).containsExactly("block");
		assertThat(this.instance.policies().controls().of("api", ALICE).banned()).isFalse();
		assertThat(this.instance.policies().get("api").limits()).hasToString("[2/1h]");
	}

	@Test
	void reportsOnceThatAControlHasEnded(CapturedOutput output) {
		ActiveControl ban = this.controls.set(new Ban("api", ALICE), HOUR);
		ActiveControl block = this.controls.set(new Block("principal:eve"), HOUR);
		ActiveControl lifted = this.controls.set(new Ban("api", "principal:bob"), HOUR);
		this.controls.reset("api", "principal:carol");
		this.controls.lift(lifted.id());
		this.now.updateAndGet((time) -> time.plus(HOUR).plusSeconds(1));
		this.controls.refresh();
		this.controls.refresh();
		assertThat(this.instance.events()).containsExactlyInAnyOrder(
				new ControlEvent(ControlEvent.Kind.ENDED, ban.id(), ban),
				new ControlEvent(ControlEvent.Kind.ENDED, block.id(), block));
		assertThat(output.getOut())
			.contains("The control '" + ban.id() + "' of policy 'api' for " + KeyDigest.inPlaceOf(ALICE) + " has ended")
			.doesNotContain("alice", "eve");
	}

	@Test
	void resetsAKeyInTheSpellingOfCalls() {
		String key = "client-ip:2001:db8:0:0:0:0:0:0/64";
		assertThat(Stream.generate(() -> this.instance.isAllowed("site", key)).limit(3)).containsExactly(true, true,
				false);
		this.controls.reset("site", "client-ip:2001:DB8:0::1");
		assertThat(this.instance.isAllowed("site", key)).isTrue();
	}

	@Test
	void storesNoKeyThatIsReset() {
		this.controls.reset("api", ALICE);
		assertThat(this.store.since(Revision.NONE, true).texts().toString()).contains("kind=reset")
			.doesNotContain("alice");
	}

	@Test
	void tellsWhatAControlReplaces() {
		ControlTime end = ControlTime.until(Instant.parse(LATER));
		assertThat(this.controls.replace(new Change("api", List.of("5/1h"), null, null), end, Origin.APPLICATION)
			.replaced()).isNull();
		Replacement mode = this.controls.replace(new Change("api", List.of(), EnforcementMode.SHADOW, null),
				ControlTime.EVER, Origin.APPLICATION);
		assertThat(mode.control().until()).isNull();
		assertThat(mode.replaced()).extracting(ActiveControl::control)
			.isEqualTo(new Change("api", List.of("5/1h"), null, null));
		assertThat(mode.replaced()).extracting(ActiveControl::until).isEqualTo(Instant.parse(LATER));
		assertThat(this.controls.active()).containsExactly(mode.control());
	}

	@ParameterizedTest
	@ValueSource(strings = { "2026-11-22T10:00:00Z", "2026-11-22T09:00:00Z", "2027-11-24T10:00:01Z" })
	void endsNeitherNowNorTooLate(String until) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.controls.replace(new Ban("api", ALICE), ControlTime.until(Instant.parse(until)),
					Origin.APPLICATION))
			.withMessage("a control lasts for at least 1ms and at most 366d");
	}

	@Test
	void survivesARestart() {
		this.controls.set(new Ban("api", ALICE), null);
		ControlledInstance restarted = new ControlledInstance(new MemoryRateLimitStore(1000), this.store);
		restarted.controls().lift("nothing");
		assertThatExceptionOfType(BlockedCallerException.class).isThrownBy(() -> restarted.isAllowed("api", ALICE));
	}

	@Test
	void skipsAControlUnderAnotherIdentifier() {
		this.store.put("ban-1", ControlText.write(new ActiveControl(new Ban("api", ALICE), this.now.get(), null)),
				null);
		this.controls.refresh();
		assertThat(this.instance.isAllowed("api", ALICE)).isTrue();
		assertThat(this.controls.skipped()).containsOnlyKeys("ban-1");
	}

	@Test
	void takesUpNoMoreMemoryThanStated() throws Exception {
		long bytes = ForkedHeap.measuredBy(ControlMemory.class);
		LOGGER.info("{} bans take up {} bytes", ControlMemory.BANS, bytes);
		assertThat(bytes).isBetween(500_000L, 2_200_000L);
	}

	@Test
	void boundsTheNumberOfControls() {
		for (int i = 0; i < ControlStore.MOST; i++) {
			ActiveControl block = new ActiveControl(new Block("principal:" + i), this.now.get(), null);
			this.store.put(block.id(), ControlText.write(block), null);
		}
		assertThatIllegalArgumentException().isThrownBy(() -> this.controls.set(new Ban("api", ALICE), null))
			.withMessage("there are 20000 controls: lift some of them");
		assertThat(this.instance.policies().controls()).isNotSameAs(KeyControls.NONE);
	}

	@ParameterizedTest
	@MethodSource
	void refusesAsAWhole(Control control, Duration time, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.controls.set(control, time))
			.withMessageContaining(message);
		assertThat(this.controls.active()).isEmpty();
	}

	static Stream<Arguments> refusesAsAWhole() {
		return Stream.of(arguments(new Ban("nope", ALICE), HOUR, "there is no policy named 'nope'"),
				arguments(new Ban("api", "alice"), HOUR, "a key of policy 'api' is written as principal:..."),
				arguments(new Ban("site", "client-ip:localhost"), HOUR, "the key has no IP address"),
				arguments(new Ban("all", "global"), HOUR, "is not one caller: change the policy instead"),
				arguments(new Ban("api", "missing"), HOUR, "is not one caller"),
				arguments(new Block("ip:0.0.0.0/0"), HOUR, "is too wide"),
				arguments(new Block("ip:::/0"), HOUR, "is too wide"),
				arguments(new Block("ip:10.0.0.1/8"), HOUR, "bits beyond its prefix"),
				arguments(new Block("principal:"), HOUR, "ip:RANGE or principal:NAME"),
				arguments(new Block("everyone"), HOUR, "ip:RANGE or principal:NAME"),
				arguments(new Grant("api", ALICE, 0), HOUR, "at least 1 permit, was 0"),
				arguments(new Grant("api", ALICE, 1), null, "a grant lasts for a time"),
				arguments(new Grant("api", ALICE, 9007199254740993L), HOUR, "at most 140737488355328 permits"),
				arguments(new Limits("api", ALICE, List.of("5 concurrent")), HOUR, "a rate stays a rate"),
				arguments(new Change("api", List.of("5 concurrent"), null, null), HOUR, "a rate stays a rate"),
				arguments(new Pause("api", "partner.example"), null, "a pause lasts for a time"),
				arguments(new Pause("unknown", "partner.example"), HOUR, "unknown"),
				arguments(new Limits("api", ALICE, List.of("1/1h", "2/1d")), HOUR, "one limit in the place of each"),
				arguments(new Limits("api", ALICE, List.of("many")), HOUR, "permits/period"),
				arguments(new Change("api", List.of(), null, null), HOUR, "a mode, enforce or onStoreFailure"),
				arguments(new Change("api", List.of("0/1h"), EnforcementMode.OFF, null), HOUR, "at least 1"),
				arguments(new Block("principal:eve"), Duration.ofNanos(1), "lasts for at least 1ms"),
				arguments(new Block("principal:eve"), Duration.ofDays(367), "at most 366d"));
	}

}
