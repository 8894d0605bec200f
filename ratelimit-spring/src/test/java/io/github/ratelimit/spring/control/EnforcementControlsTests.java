package io.github.ratelimit.spring.control;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

import io.github.ratelimit.policy.EnforcedShare;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of controls of policies of which some keys, or none, are enforced.
 */
class EnforcementControlsTests {

	private static final Duration HOUR = Duration.ofHours(1);

	/** The key at the place 87 of a hundred. */
	private static final String ALICE = "principal:alice";

	private final InstantSource clock = InstantSource.fixed(Instant.parse("2026-11-22T10:00:00Z"));

	private final ControlledInstance instance = new ControlledInstance(new MemoryRateLimitStore(1000),
			new MemoryControlStore(this.clock));

	private final Controls controls = this.instance.controls();

	@Test
	void changesTheShareOfEnforcedKeysAndRestoresIt() {
		Policy configured = this.instance.policies().get("api");
		ActiveControl change = this.controls.set(new Change("api", List.of(), null, new EnforcedShare(10), null), null);
		assertThat(share()).hasToString("10%");
		this.controls.set(new Change("api", List.of("5/1h"), null, new EnforcedShare(50), null), null);
		assertThat(share()).hasToString("50%");
		this.controls.set(new Change("api", List.of(), EnforcementMode.SHADOW, null), null);
		assertThat(isEnforced()).isFalse();
		this.controls.lift(change.id());
		assertThat(this.instance.policies().get("api")).isEqualTo(configured);
	}

	@Test
	void enforcesAPolicyThatIsConfiguredInShadow() {
		this.controls.configure(List.of(withShare(0)), Set.of());
		ActiveControl change = this.controls.set(new Change("api", List.of("5/1h"), null, null), null);
		assertThat(isEnforced()).isFalse();
		this.controls.set(new Change("api", List.of(), EnforcementMode.ENFORCE, null), null);
		assertThat(share()).isEqualTo(EnforcedShare.ALL);
		this.controls.set(new Change("api", List.of(), null, new EnforcedShare(10), null), null);
		assertThat(share()).hasToString("10%");
		assertThat(isEnforced()).isTrue();
		this.controls.lift(change.id());
		assertThat(isEnforced()).isFalse();
	}

	@Test
	void keepsTheConfiguredShareInAnotherMode() {
		this.controls.configure(List.of(withShare(20)), Set.of());
		this.controls.set(new Change("api", List.of(), EnforcementMode.ENFORCE, null), null);
		assertThat(share()).hasToString("20%");
	}

	@Test
	void enforcesNoBanOfAPenaltyWhileItsLimitsAreInShadow() {
		this.controls.extend(new Ban("api", ALICE), HOUR, Origin.PENALTY);
		assertThat(isBanned(ALICE)).isTrue();
		this.controls.configure(List.of(withShare(87)), Set.of());
		assertThat(isBanned(ALICE)).as("as it is not enforced").isFalse();
		this.controls.configure(List.of(withShare(88)), Set.of());
		assertThat(isBanned(ALICE)).isTrue();
		ActiveControl change = this.controls.set(new Change("api", List.of(), EnforcementMode.SHADOW, null), HOUR);
		assertThat(isBanned(ALICE)).isFalse();
		this.controls.set(new Ban("api", "principal:bob"), HOUR);
		assertThat(isBanned("principal:bob")).as("by an operator").isTrue();
		this.controls.lift(change.id());
		assertThat(isBanned(ALICE)).isTrue();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ENFORCE")
	void refusesAShareInAnotherMode(EnforcementMode mode) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.controls.set(new Change("api", List.of(), mode, new EnforcedShare(10), null), HOUR))
			.withMessage("a change that enforces a share of keys, 10%, has no other mode: "
					+ "leave one of 'mode' and 'enforce' out");
		assertThat(this.controls.active()).isEmpty();
	}

	private boolean isEnforced() {
		return this.instance.policies().get("api").isEnforced();
	}

	private EnforcedShare share() {
		return this.instance.policies().get("api").options().enforced();
	}

	private boolean isBanned(String key) {
		return this.instance.policies().controls().of("api", key).banned();
	}

	private Policy withShare(int percent) {
		Policy policy = this.instance.policies().get("api");
		return policy.withOptions(policy.options().withEnforced(new EnforcedShare(percent)));
	}

}
