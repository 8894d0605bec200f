package io.github.ratelimit.spring.control;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests of bans that follow denials.
 */
class PenaltiesTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final Penalty PENALTY = new Penalty(new Rate(5, MINUTE), Duration.ofMinutes(10), 2,
			Duration.ofHours(1));

	private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-22T10:00:00Z"));

	private final InstantSource clock = this.now::get;

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(1000,
			() -> this.now.get().toEpochMilli() * 1000);

	private final ControlledInstance instance = new ControlledInstance(this.store, new MemoryControlStore(this.clock));

	private final List<Runnable> tasks = new ArrayList<>();

	private final RateLimiter limiter = limiter(this.tasks::add);

	@Test
	void bansAKeyAtItsLastDenialAndNoOther() {
		assertThat(denialsUntilBan("eve")).isEqualTo(5);
		assertThat(isBanned("bob")).isFalse();
		assertThat(this.instance.controls().active()).singleElement()
			.satisfies(
					(ban) -> assertThat(Duration.between(ban.since(), ban.until())).isEqualTo(Duration.ofMinutes(10)));
	}

	@Test
	void bansOnlyTheKeyWithoutRoomWhereACallChargesTwo() {
		Charge noisy = Charge.of("api", "principal:acme");
		for (int call = 0; call < 2; call++) {
			this.limiter.acquire(List.of(noisy, Charge.of("api", "principal:user" + call)));
		}
		for (int call = 0; call < 5; call++) {
			this.limiter.acquire(List.of(noisy, Charge.of("api", "principal:victim")));
		}
		List.copyOf(this.tasks).forEach(Runnable::run);
		assertThat(isBanned("acme")).isTrue();
		assertThat(isBanned("victim")).isFalse();
	}

	@Test
	void doesNotBanForFewerDenialsInTheTime() {
		for (int minute = 0; minute < 10; minute++) {
			assertThat(Stream.generate(() -> call("eve")).limit(2 + 4)).containsExactly(true, true, false, false, false,
					false);
			this.now.updateAndGet((time) -> time.plus(Duration.ofHours(2)));
		}
		assertThat(isBanned("eve")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "global", "missing" })
	void bansNoKeyThatCallersShare(String key) {
		assertThat(Stream.generate(() -> this.limiter.acquire(Charge.of("api", key)).allowed()).limit(2 + 20))
			.endsWith(false, false);
		assertThat(this.tasks).isEmpty();
	}

	@Test
	void bansForLongerEachTime() {
		List<Duration> bans = new ArrayList<>();
		for (int ban = 0; ban < 5; ban++) {
			denialsUntilBan("eve");
			ActiveControl active = this.instance.controls().active().get(0);
			bans.add(Duration.between(active.since(), active.until()));
			this.now.set(Objects.requireNonNull(active.until()).plusSeconds(61));
			this.instance.controls().lift("nothing");
		}
		assertThat(bans).extracting(Duration::toMinutes).containsExactly(10L, 20L, 40L, 60L, 60L);
	}

	@Test
	void bansAsAtFirstOnceABanWasLifted() {
		denialsUntilBan("eve");
		this.instance.controls().lift(this.instance.controls().active().get(0).id());
		assertThat(denialsUntilBan("eve")).isEqualTo(5);
		assertThat(lengthOfBan()).isEqualTo(Duration.ofMinutes(10));
	}

	@Test
	void forgetsDenialsAndBansOfAKeyThatIsReset() {
		denialsUntilBan("eve");
		this.now.updateAndGet((time) -> time.plus(Duration.ofMinutes(11)));
		this.instance.controls().refresh();
		assertThat(Stream.generate(() -> call("eve")).limit(4)).containsOnly(false);
		this.instance.controls().reset("api", "principal:eve");
		assertThat(denialsUntilBan("eve")).isEqualTo(5);
		assertThat(lengthOfBan()).isEqualTo(Duration.ofMinutes(10));
	}

	@Test
	void countsNothingUnderTheNameThatAPolicyMayHave() {
		String longest = "p".repeat(64);
		Policies policies = new Policies(List.of(policy(longest, "2/1h"), policy("api.bans", "1000/10h fixed-window")));
		RateLimiter others = new RateLimiter(policies, this.store,
				List.of(new Penalties(Map.of(longest, PENALTY, "api.bans", PENALTY), this.store,
						new AutomaticControls(this.instance::controls))));
		denialsUntilBan("eve");
		assertThat(others.peek(List.of(new Charge("api.bans", "principal:eve", 0))).limits().get(0).remaining())
			.isEqualTo(1000);
	}

	private static Policy policy(String name, String limit) {
		return new Policy(name, List.of(Limit.parse(limit)), List.of("principal"));
	}

	private Duration lengthOfBan() {
		ActiveControl ban = this.instance.controls().active().get(0);
		return Duration.between(ban.since(), ban.until());
	}

	@Test
	void bansAtALaterDenialIfTheFirstBanWasLost() {
		RateLimiter forgetful = limiter((task) -> {
			if (this.tasks.size() < 2) {
				this.tasks.add(task);
			}
		});
		assertThat(Stream.generate(() -> isAllowed(forgetful)).limit(2 + 5)).endsWith(false, false, false, false,
				false);
		this.tasks.remove(0);
		assertThat(isBanned("eve")).isFalse();
		assertThat(Stream.generate(() -> isAllowed(forgetful)).limit(5)).containsOnly(false);
		this.tasks.remove(0).run();
		assertThat(isBanned("eve")).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "0, 10", "1, 20", "2, 40", "3, 60", "1000000000000, 60" })
	void growsToTheLongestBan(long earlier, long minutes) {
		assertThat(PENALTY.ban(earlier)).isEqualTo(Duration.ofMinutes(minutes));
	}

	@ParameterizedTest
	@MethodSource
	void refusesWhatIsNoPenalty(Duration block, int factor, Duration max, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> new Penalty(new Rate(5, MINUTE), block, factor, max))
			.withMessageContaining(message);
	}

	static Stream<Arguments> refusesWhatIsNoPenalty() {
		return Stream.of(arguments(Duration.ZERO, 2, MINUTE, "'block' must be above 0"),
				arguments(MINUTE, 0, MINUTE, "'factor' must be at least 1"),
				arguments(MINUTE, 1, MINUTE.minusMillis(1), "'max' must be from 'block' to 36d"),
				arguments(MINUTE, 1, Duration.ofDays(37), "'max' must be from 'block' to 36d"));
	}

	/** Calls until a ban is in effect, and returns the number of denials before. */
	private int denialsUntilBan(String user) {
		int denials = 0;
		for (int call = 0; call < 100 && !isBanned(user); call++) {
			denials += call(user) ? 0 : 1;
			List.copyOf(this.tasks).forEach(Runnable::run);
			this.tasks.clear();
		}
		return denials;
	}

	private boolean call(String user) {
		try {
			return this.limiter.acquire(Charge.of("api", "principal:" + user)).allowed();
		}
		catch (BlockedCallerException ex) {
			return false;
		}
	}

	private static boolean isAllowed(RateLimiter limiter) {
		return limiter.acquire(Charge.of("api", "principal:eve")).allowed();
	}

	private boolean isBanned(String user) {
		return this.instance.policies().controls().of("api", "principal:" + user).banned();
	}

	private RateLimiter limiter(Executor executor) {
		Penalties penalties = new Penalties(Map.of("api", PENALTY), this.store,
				new AutomaticControls(this.instance::controls, executor, () -> 0));
		this.instance.add(penalties);
		return new RateLimiter(this.instance.policies(), this.store, List.of(penalties));
	}

}
