package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongBiFunction;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of calls that wait for their turn.
 */
class WaitingTests {

	private static final long SECOND = 1_000_000;

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final RecordingSleeper sleeper = new RecordingSleeper();

	private final Policies policies = new Policies(
			List.of(policy("plain", "10/1s token-bucket"), policy("queue", "10/1s leaky-bucket")
				.withOptions(PolicyOptions.STANDARD.withMaxWait(Duration.ofMillis(250)))));

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(1000, this.clock::get);

	private final RateLimiter limiter = new RateLimiter(this.policies, new DecisionEngine(this.policies, this.store,
			new StoreFallback(this.policies, this.store, new MemoryRateLimitStore(1)), List.of(), LimitOverrides.NONE),
			new QueuedTurns(this.policies, new CompositeListener(List.of()), this.sleeper));

	@Test
	void givesWaitingCallsTurnsFirstComeFirstServed() {
		for (long turn = 0; turn < 3; turn++) {
			Decision decision = this.limiter.acquire(Charge.of("queue", "a"));
			assertThat(decision.allowed()).isTrue();
			assertThat(decision.waitMicros()).isEqualTo(turn * SECOND / 10);
		}
		assertThat(this.sleeper.slept).containsExactly(SECOND / 10, SECOND / 5);
		assertThat(this.limiter.acquire(Charge.of("queue", "b")).waitMicros()).isZero();
	}

	@Test
	void deniesAtOnceAndChargesNothingIfTheWaitIsTooLong() {
		Stream.of(1, 2, 3).forEach((call) -> this.limiter.acquire(Charge.of("queue", "a")));
		Decision denied = this.limiter.acquire(Charge.of("queue", "a"));
		assertThat(denied.allowed()).isFalse();
		assertThat(denied.waitMicros()).isZero();
		assertThat(denied.retryAfterMicros()).isEqualTo(SECOND * 3 / 10 - SECOND / 4);
		assertThat(this.sleeper.slept).hasSize(2);
		this.clock.addAndGet(denied.retryAfterMicros());
		assertThat(this.limiter.acquire(Charge.of("queue", "a")).waitMicros()).isEqualTo(SECOND / 4);
	}

	@Test
	void returnsAStageThatWaitsWithoutBlocking() {
		this.limiter.acquire(Charge.of("queue", "a"));
		CompletableFuture<Decision> decision = this.limiter.acquireAsync(Charge.of("queue", "a")).toCompletableFuture();
		assertThat(decision).isNotDone();
		this.sleeper.delayed.get(0).complete(null);
		assertThat(decision.join().waitMicros()).isEqualTo(SECOND / 10);
		assertThat(this.sleeper.slept).isEmpty();
	}

	@Test
	void prefersTheMaximumWaitOfTheChargeToThePolicys() {
		this.limiter.acquire(Charge.of("queue", "a"));
		Charge impatient = Charge.of("queue", "a").waitingUpTo(Duration.ofMillis(99));
		assertThat(this.limiter.acquire(impatient).allowed()).isFalse();
		Charge patient = new Charge("plain", "a", 10).waitingUpTo(Duration.ofSeconds(1));
		this.limiter.acquire(patient);
		assertThat(this.limiter.acquire(patient).waitMicros()).isEqualTo(SECOND);
	}

	@Test
	void refundsTheTurnOfAnInterruptedCall() {
		this.limiter.acquire(Charge.of("queue", "a"));
		this.sleeper.interrupts = true;
		assertThatExceptionOfType(CancellationException.class)
			.isThrownBy(() -> this.limiter.acquire(Charge.of("queue", "a")));
		assertThat(Thread.interrupted()).isTrue();
		this.sleeper.interrupts = false;
		assertThat(this.limiter.acquire(Charge.of("queue", "a")).waitMicros()).isEqualTo(SECOND / 10);
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.algorithm.Algorithm#rates")
	void waitsByEveryAlgorithm(Algorithm algorithm) {
		Limit limit = AnyLimit.of(algorithm, "10/1s");
		this.policies.add(new Policy("each", List.of(limit), List.of("global"))
			.withOptions(PolicyOptions.STANDARD.withMaxWait(Duration.ofSeconds(10))));
		this.clock.set(1_790_000_000_000_000L / SECOND * SECOND);
		List<Long> turns = new ArrayList<>();
		for (int call = 0; call < 50; call++) {
			turns.add(this.clock.get() + this.limiter.acquire(Charge.of("each", "a")).waitMicros());
		}
		assertThat(turns).isSorted();
		ToLongBiFunction<Long, Long> within = (from,
				length) -> turns.stream().filter((turn) -> turn >= from && turn < from + length).count();
		assertThat(turns).allMatch((turn) -> within.applyAsLong(turn, SECOND) <= 20);
		assertThat(turns.get(49) - turns.get(0)).isBetween(4 * SECOND, 5 * SECOND + SECOND / 2);
	}

	@Test
	void refusesAWaitThatIsLongerThanHalfAWindowOfTheCalendar() {
		Policy daily = policy("daily", "10/1d fixed-window align day");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> daily.withOptions(PolicyOptions.STANDARD.withMaxWait(Duration.ofHours(13))))
			.withMessage("a maximum wait in policy 'daily' is at most PT12H, was PT13H");
	}

	private static Policy policy(String name, String limit) {
		return new Policy(name, List.of(Limit.parse(limit, Algorithm.TOKEN_BUCKET)), List.of("global"));
	}

}
