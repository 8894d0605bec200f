package io.github.ratelimit.spring.control;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Grant;
import io.github.ratelimit.spring.control.Control.Limits;
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.spring.control.ControlStore.Changes;
import io.github.ratelimit.spring.control.KnownControls.Lost;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests of stored controls that an instance cannot apply.
 */
@ExtendWith(OutputCaptureExtension.class)
class SkippedControlsTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final String LATER = "2026-11-22T18:00:00Z";

	private static final String ALICE = "principal:alice";

	private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-22T10:00:00Z"));

	private final InstantSource clock = this.now::get;

	private final ControlStore store = new MemoryControlStore(this.clock);

	private final ControlledInstance instance = new ControlledInstance(new MemoryRateLimitStore(1000), this.store);

	private final Controls controls = this.instance.controls();

	@Test
	void logsOnceThatAChangeDoesNotFitAReloadedPolicy(CapturedOutput output) {
		Policy api = this.instance.policies().get("api");
		this.controls.set(new Change("api", List.of("5/1h"), null, null), HOUR);
		assertThat(this.controls.changed()).containsOnly(Map.entry("api", api));
		Policy reloaded = new Policy("api", List.of(Limit.parse("2/1h"), Limit.parse("9/1d")), List.of("principal"));
		this.controls.configure(List.of(reloaded), Set.of());
		assertThat(output.getOut().lines().filter((line) -> line.contains("fit this instance"))).hasSize(1);
		assertThat(this.instance.policies().get("api")).isEqualTo(reloaded);
		assertThat(this.controls.changed()).isEmpty();
		assertThat(this.controls.skipped()).containsOnlyKeys("change-api");
	}

	@Test
	void skipsTheControlsOfARemovedPolicyUntilItIsBack(CapturedOutput output) {
		Policy api = this.instance.policies().get("api");
		Set<String> ids = Stream
			.of(new Ban("api", ALICE), new Grant("api", "principal:bob", 1), new Pause("api", "partner.example"),
					new Limits("api", ALICE, List.of("1/1h")), new Change("api", List.of("1/1h"), null, null))
			.map((control) -> this.controls.set(control, HOUR).id())
			.collect(Collectors.toSet());
		this.controls.configure(List.of(), Set.of("api"));
		this.controls.configure(List.of(), Set.of("api"));
		assertThat(this.controls.skipped()).containsOnlyKeys(ids)
			.containsValue("the policy 'api' was removed from the configuration");
		assertThat(this.controls.active()).isEmpty();
		assertThat(this.instance.policies().controls().of("api", ALICE).banned()).isFalse();
		assertThat(output).containsOnlyOnce("The configuration no longer has the policies [api], so their controls")
			.containsOnlyOnce("5 controls do not fit this instance");
		this.controls.configure(List.of(api), Set.of());
		assertThat(this.controls.skipped()).isEmpty();
		assertThat(this.instance.policies().controls().of("api", ALICE).banned()).isTrue();
	}

	@Test
	void writesBackTheControlsThatItSkips() {
		String id = this.controls.set(new Ban("api", ALICE), HOUR).id();
		KnownControls known = new KnownControls(new ControlEffects(new Policies(List.of()), this.instance.keys().bans(),
				new MemoryRateLimitStore(10), (event) -> {
				}, (policy, key) -> {
				}));
		known.apply(this.store.since(Revision.NONE, true));
		assertThat(known.inEffect()).isEmpty();
		Lost lost = known.lostBy(new Changes(Revision.NONE, this.now.get(), true, true, Map.of(), List.of()));
		assertThat(lost).isNotNull();
		assertThat(lost.texts()).extracting(Map.Entry::getKey).containsExactly(id);
	}

	@Test
	void appliesTheControlsOfAPolicyOnceItIsThere() {
		ActiveControl ban = new ActiveControl(new Ban("later", ALICE), this.now.get(), null);
		this.store.put(ban.id(), ControlText.write(ban), null);
		this.controls.refresh();
		assertThat(this.controls.skipped()).containsOnlyKeys(ban.id());
		this.instance.policies().add(new Policy("later", List.of(Limit.parse("2/1h")), List.of("principal")));
		this.controls.refresh();
		assertThat(this.controls.skipped()).isEmpty();
		assertThat(this.controls.active()).containsExactly(ban);
		assertThat(this.instance.policies().controls().of("later", ALICE).banned()).isTrue();
	}

	@Test
	void ignoresWhatAnotherVersionHasSetAndWarnsOnce(CapturedOutput output) {
		this.store.put("throttle-1", "v=2&kind=throttle", null);
		this.controls.set(new Ban("api", ALICE), null);
		this.controls.refresh();
		this.controls.refresh();
		assertThat(output).containsOnlyOnce("1 controls do not fit this instance");
		this.store.put("ban-1",
				"v=1&kind=ban&since=2026-11-22T10:00:00Z&origin=penalty&policy=api&key=principal%3Abob&reason=x", null);
		this.controls.set(new Ban("site", "client-ip:192.0.2.1"), null);
		assertThat(this.controls.active()).extracting(ActiveControl::control)
			.containsExactlyInAnyOrder(new Ban("api", ALICE), new Ban("site", "client-ip:192.0.2.1"));
		assertThat(output).containsOnlyOnce("2 controls do not fit this instance and are skipped, among them 'ban-1'");
		assertThat(this.controls.skipped()).containsOnlyKeys("ban-1", "throttle-1");
	}

	@ParameterizedTest
	@MethodSource
	void skipsAControlThatCannotBeAppliedAndAppliesTheOthers(Control invalid, String since, String until) {
		this.controls.set(new Ban("api", "principal:bob"), HOUR);
		String id = new ActiveControl(invalid, this.now.get(), null).id();
		String text = ControlText.write(new ActiveControl(invalid, Instant.parse(since), null));
		this.store.put(id, until.isEmpty() ? text : text + "&until=" + until, null);
		this.controls.set(new Ban("api", ALICE), HOUR);
		Stream.of(ALICE, "principal:bob")
			.forEach((banned) -> assertThatExceptionOfType(BlockedCallerException.class)
				.isThrownBy(() -> this.instance.isAllowed("api", banned)));
		assertThat(this.instance.isBanned("192.0.2.7", null)).isFalse();
		assertThat(this.controls.skipped()).containsOnlyKeys(id);
		assertThat(this.controls.active()).extracting(ActiveControl::id).hasSize(2).doesNotContain(id);
		assertThat(this.controls.lift(id)).isTrue();
		assertThat(this.controls.skipped()).isEmpty();
	}

	static Stream<Arguments> skipsAControlThatCannotBeAppliedAndAppliesTheOthers() {
		String since = "2026-11-22T09:00:00Z";
		return Stream.of(arguments(new Grant("site", "client-ip:192.0.2.2", 9007199254740993L), since, LATER),
				arguments(new Grant("site", "client-ip:192.0.2.2", 1), since, ""),
				arguments(new Grant("site", "client-ip:192.0.2.2", 1), "2026-11-22T20:00:00Z", LATER),
				arguments(new Block("ip:foo"), since, LATER), arguments(new Block("ip:0.0.0.0/0"), since, LATER),
				arguments(new Ban("all", "global"), since, LATER),
				arguments(new Limits("gone", "k", List.of()), since, ""),
				arguments(new Ban("gone", "client-ip:192.0.2.7"), since, ""),
				arguments(new Grant("gone", "client-ip:192.0.2.7", 1), since, LATER),
				arguments(new Pause("gone", "partner.example"), since, LATER),
				arguments(new Change("gone", List.of("1/1h"), null, null), since, ""),
				arguments(new Ban("api", "principal:eve"), since, "+1000000000-12-31T23:59:59.999999999Z"));
	}

	@Test
	void keepsControlsInEffectWhateverElseIsStored() {
		List<String> banned = IntStream.range(0, 50).mapToObj((number) -> "principal:banned" + number).toList();
		banned.forEach((key) -> this.controls.set(new Ban("api", key), HOUR));
		List<ActiveControl> valid = validControls();
		Random random = new Random(20261125);
		for (int i = 0; i < 10_000; i++) {
			ActiveControl control = valid.get(i % valid.size());
			String id = (i % 3 == 0) ? "grant-" + i % 400 : control.id();
			this.store.put(id, damaged(ControlText.write(control), random), null);
			if (i % 50 == 0) {
				this.controls.refresh();
				assertThat(banned).allMatch((key) -> this.instance.policies().controls().of("api", key).banned());
			}
		}
		assertThat(this.controls.skipped()).hasSizeGreaterThan(100);
	}

	private List<ActiveControl> validControls() {
		Instant now = this.now.get();
		return Stream
			.of(new Grant("site", "client-ip:192.0.2.2", Long.MAX_VALUE), new Block("ip:192.0.2.0/24"),
					new Limits("api", ALICE, List.of("1/1h")), new Change("api", List.of("1/1h"), null, null),
					new Pause("api", "partner.example"), new Ban("site", "client-ip:192.0.2.1"))
			.map((control) -> new ActiveControl(control, now, now.plus(HOUR)))
			.toList();
	}

	private static String damaged(String text, Random random) {
		StringBuilder damaged = new StringBuilder(text);
		for (int change = random.nextInt(4); change >= 0 && damaged.length() > 0; change--) {
			int at = random.nextInt(damaged.length());
			switch (random.nextInt(4)) {
				case 0 -> damaged.deleteCharAt(at);
				case 1 -> damaged.setCharAt(at, (char) random.nextInt(0x3000));
				case 2 -> damaged.insert(at, random.nextLong());
				default -> damaged.setLength(at);
			}
		}
		return damaged.toString();
	}

}
