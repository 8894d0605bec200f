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
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.store.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Calls that wait in line for their permits.
 */
class WaitingTests {

	private static final long SECOND = 1_000_000;

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final RecordedPause pause = new RecordedPause();

	private final Policies policies = new Policies(List.of(policy("plain", "10/1s token-bucket"),
			policy("queue", "10/1s leaky-bucket").withTerms(Terms.STANDARD.withMaxWait(Duration.ofMillis(250)))));

	private final RateLimiter limiter = new RateLimiter(this.policies,
			new Decisions(this.policies, new MemoryRateLimitStore(1000, this.clock::get),
					new Fallback(this.policies, new MemoryRateLimitStore(1)), List.of(), LimitOverrides.NONE),
			new Turns(this.policies, new Listeners(List.of()), this.pause));

	@Test
	void letsCallsWaitInLineFirstComeFirstServed() {
		for (long place = 0; place < 3; place++) {
			Decision decision = this.limiter.acquire(Charge.of("queue", "a"));
			assertThat(decision.allowed()).isTrue();
			assertThat(decision.waitMicros()).isEqualTo(place * SECOND / 10);
		}
		assertThat(this.pause.slept).containsExactly(SECOND / 10, SECOND / 5);
		assertThat(this.limiter.acquire(Charge.of("queue", "b")).waitMicros()).isZero();
	}

	@Test
	void deniesAtOnceAndChargesNothingWhereTheLineIsTooLong() {
		Stream.of(1, 2, 3).forEach((call) -> this.limiter.acquire(Charge.of("queue", "a")));
		Decision denied = this.limiter.acquire(Charge.of("queue", "a"));
		assertThat(denied.allowed()).isFalse();
		assertThat(denied.waitMicros()).isZero();
		assertThat(denied.retryAfterMicros()).isEqualTo(SECOND * 3 / 10 - SECOND / 4);
		assertThat(this.pause.slept).hasSize(2);
		this.clock.addAndGet(denied.retryAfterMicros());
		assertThat(this.limiter.acquire(Charge.of("queue", "a")).waitMicros()).isEqualTo(SECOND / 4);
	}

	@Test
	void waitsWithoutBlockingOnlyForTheStageItAnswers() {
		this.limiter.acquire(Charge.of("queue", "a"));
		CompletableFuture<Decision> decision = this.limiter.acquireAsync(Charge.of("queue", "a")).toCompletableFuture();
		assertThat(decision).isNotDone();
		this.pause.delayed.get(0).complete(null);
		assertThat(decision.join().waitMicros()).isEqualTo(SECOND / 10);
		assertThat(this.pause.slept).isEmpty();
	}

	@Test
	void waitsAsLongAsTheChargeSaysRatherThanThePolicy() {
		this.limiter.acquire(Charge.of("queue", "a"));
		Charge impatient = Charge.of("queue", "a").waitingUpTo(Duration.ofMillis(99));
		assertThat(this.limiter.acquire(impatient).allowed()).isFalse();
		Charge patient = new Charge("plain", "a", 10).waitingUpTo(Duration.ofSeconds(1));
		this.limiter.acquire(patient);
		assertThat(this.limiter.acquire(patient).waitMicros()).isEqualTo(SECOND);
	}

	@Test
	void givesBackThePlaceOfACallThatIsInterruptedWhileItWaits() {
		this.limiter.acquire(Charge.of("queue", "a"));
		this.pause.interrupts = true;
		assertThatExceptionOfType(CancellationException.class)
			.isThrownBy(() -> this.limiter.acquire(Charge.of("queue", "a")));
		assertThat(Thread.interrupted()).isTrue();
		this.pause.interrupts = false;
		assertThat(this.limiter.acquire(Charge.of("queue", "a")).waitMicros()).isEqualTo(SECOND / 10);
	}

	@ParameterizedTest
	@EnumSource
	void waitsInLineByEveryAlgorithm(Algorithm algorithm) {
		Limit limit = Limit.of(algorithm, Rate.parse("10/1s"));
		this.policies.add(new Policy("each", List.of(limit.withBurst(10)), List.of("global"))
			.withTerms(Terms.STANDARD.withMaxWait(Duration.ofSeconds(10))));
		this.clock.set(1_790_000_000_000_000L / SECOND * SECOND);
		List<Long> places = new ArrayList<>();
		for (int call = 0; call < 50; call++) {
			places.add(this.clock.get() + this.limiter.acquire(Charge.of("each", "a")).waitMicros());
		}
		assertThat(places).isSorted();
		ToLongBiFunction<Long, Long> within = (from,
				length) -> places.stream().filter((place) -> place >= from && place < from + length).count();
		assertThat(places).allMatch((place) -> within.applyAsLong(place, SECOND) <= 20);
		assertThat(places.get(49) - places.get(0)).isBetween(4 * SECOND, 5 * SECOND + SECOND / 2);
	}

	@Test
	void refusesAWaitThatIsLongerThanHalfAWindowOfTheCalendar() {
		Policy daily = policy("daily", "10/1d fixed-window align day");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> daily.withTerms(Terms.STANDARD.withMaxWait(Duration.ofHours(13))))
			.withMessage("a maximum wait in policy 'daily' is at most PT12H, was PT13H");
	}

	private static Policy policy(String name, String limit) {
		return new Policy(name, List.of(Limit.parse(limit, Algorithm.TOKEN_BUCKET)), List.of("global"));
	}

}
