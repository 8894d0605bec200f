package io.github.ratelimit.spring.event;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.decision.Thresholds;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class DecisionEventsTests {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	private static final String ALICE = "principal:alice";

	private final AtomicLong millis = new AtomicLong();

	private final List<Object> events = new ArrayList<>();

	private final DecisionEvents listener = listener(DenialLogLevel.INFO, 80);

	@Test
	void publishesADenialOncePerKeyAndInterval() {
		RateLimiter limiter = limiter(1, this.listener);
		call(limiter, ALICE, 5);
		call(limiter, "principal:bob", 5);
		assertThat(denied()).extracting(RateLimitDenied::key).containsExactly(ALICE, "principal:bob");
		assertThat(denied().get(0).policy()).isEqualTo("api");
		assertThat(denied().get(0).limit().retryAfterMicros()).isPositive();
		this.millis.set(INTERVAL.toMillis() - 1);
		call(limiter, ALICE, 1);
		assertThat(denied()).hasSize(2);
		this.millis.set(INTERVAL.toMillis());
		call(limiter, ALICE, 1);
		assertThat(denied()).hasSize(3);
	}

	@Test
	void publishesKeysOfEqualHashCodesEach() {
		RateLimiter limiter = limiter(1, this.listener);
		assertThat("principal:Aa").hasSameHashCodeAs("principal:BB");
		call(limiter, "principal:Aa", 2);
		call(limiter, "principal:BB", 2);
		assertThat(denied()).extracting(RateLimitDenied::key).containsExactly("principal:Aa", "principal:BB");
	}

	@Test
	void publishesADenialOnlyOfTheKeyWithoutRoom() {
		RateLimiter limiter = limiter(1, this.listener);
		call(limiter, ALICE, 1);
		limiter.acquire(List.of(Charge.of("api", ALICE), Charge.of("api", "principal:bob")));
		assertThat(denied()).extracting(RateLimitDenied::key).containsExactly(ALICE);
	}

	@Test
	void publishesADenialInShadowOncePerKeyAndIntervalAsAnotherEvent(CapturedOutput output) {
		Policy policy = new Policy("api", List.of(Limit.parse("1/1h", Algorithm.FIXED_WINDOW)), List.of("global"));
		RateLimiter limiter = limiter(policy.withMode(EnforcementMode.SHADOW, List.of()), this.listener);
		call(limiter, ALICE, 1);
		assertThat(this.events).isEmpty();
		call(limiter, ALICE, 4);
		assertThat(this.events).singleElement().isInstanceOfSatisfying(RateLimitShadowDenied.class, (denied) -> {
			assertThat(denied.key()).isEqualTo(ALICE);
			assertThat(denied.limit().retryAfterMicros()).isPositive();
		});
		assertThat(output.getOut().lines().filter((line) -> line.contains("in shadow"))).singleElement()
			.asString()
			.contains("INFO", "Policy 'api' in shadow would deny digest:", ": 1/1h has room in ")
			.doesNotContain("alice");
		this.millis.set(INTERVAL.toMillis());
		call(limiter, ALICE, 1);
		assertThat(this.events).hasSize(2);
	}

	@Test
	void publishesAnApproachFromItsPercentageOn() {
		RateLimiter limiter = limiter(10, this.listener);
		call(limiter, ALICE, 7);
		assertThat(this.events).isEmpty();
		call(limiter, ALICE, 3);
		assertThat(this.events).hasSize(1)
			.first()
			.isInstanceOfSatisfying(RateLimitApproached.class,
					(approached) -> assertThat(approached.limit().remaining()).isEqualTo(2));
	}

	@Test
	void publishesNoApproachUnlessConfigured() {
		call(limiter(10, listener(DenialLogLevel.OFF, 0)), ALICE, 10);
		assertThat(this.events).isEmpty();
	}

	@Test
	void publishesABoundedNumberOfEventsPerSecond() {
		RateLimiter limiter = limiter(1, this.listener);
		IntStream.range(0, 1000).forEach((key) -> call(limiter, "principal:" + key, 2));
		assertThat(denied()).hasSize(KeySampler.MOST_PER_SECOND);
		this.millis.set(1000);
		IntStream.range(1000, 2000).forEach((key) -> call(limiter, "principal:" + key, 2));
		assertThat(denied()).hasSize(2 * KeySampler.MOST_PER_SECOND);
	}

	@Test
	void publishesAKeyInTheNextSecondIfASecondHadTooMany() {
		RateLimiter limiter = limiter(1, this.listener);
		IntStream.range(0, KeySampler.MOST_PER_SECOND).forEach((key) -> call(limiter, "principal:" + key, 2));
		call(limiter, ALICE, 2);
		assertThat(denied()).extracting(RateLimitDenied::key).doesNotContain(ALICE);
		this.millis.set(1000);
		call(limiter, ALICE, 1);
		assertThat(denied()).extracting(RateLimitDenied::key).contains(ALICE);
	}

	@Test
	void logsDenialsWithoutTheKey(CapturedOutput output) {
		call(limiter(1, this.listener), ALICE, 5);
		assertThat(output.getOut().lines().filter((line) -> line.contains("denies"))).singleElement()
			.asString()
			.contains("INFO", "Policy 'api' denies digest:", ": 1/1h has room in ")
			.doesNotContain("alice");
	}

	@Test
	void logsAnApproachOncePerKeyAndIntervalWithoutTheKey(CapturedOutput output) {
		call(limiter(10, this.listener), ALICE, 10);
		assertThat(output.getOut().lines().filter((line) -> line.contains("of its limit"))).singleElement()
			.asString()
			.contains("INFO", "Policy 'api' is at 80% of its limit for digest:", ": 10/1h has 2 permits left")
			.doesNotContain("alice");
	}

	/** The hour of the window is over after the second call. */
	@Test
	void publishesEachThresholdOnceUntilTheLimitHasReset() {
		RateLimiter limiter = limiter(10, listener(DenialLogLevel.OFF, 50, 80, 100));
		call(limiter, ALICE, 9);
		assertThat(thresholds()).containsExactly(50, 80);
		this.millis.addAndGet(INTERVAL.toMillis());
		call(limiter, ALICE, 1);
		assertThat(thresholds()).containsExactly(50, 80, 100);
		limiter.reset("api", ALICE);
		call(limiter, ALICE, 6);
		assertThat(thresholds()).containsExactly(50, 80, 100);
		this.millis.addAndGet(Duration.ofHours(1).toMillis());
		call(limiter, ALICE, 4);
		assertThat(thresholds()).containsExactly(50, 80, 100, 50, 80, 100);
	}

	/** The first window ends after ten minutes, the second an hour later. */
	@Test
	void publishesAThresholdOnceMoreAsSoonAsTheLimitHasReset() {
		Limit limit = Limit.parse("10/1h", Algorithm.FIXED_WINDOW);
		for (int minute : List.of(50, 59, 61, 119, 121)) {
			this.millis.set(Duration.ofMinutes(minute).toMillis());
			long resetAfter = TimeUnit.MINUTES.toMicros(60 - minute % 60);
			this.listener.decided(List.of(Charge.of("api", ALICE)),
					Decision.of(0, List.of(new LimitDecision("api", ALICE, limit, 2, 0, resetAfter, 0))), 0);
			assertThat(thresholds()).hasSize(1 + minute / 60);
		}
	}

	private List<Integer> thresholds() {
		return this.events.stream()
			.filter(RateLimitApproached.class::isInstance)
			.map((event) -> ((RateLimitApproached) event).threshold())
			.toList();
	}

	@ParameterizedTest
	@EnumSource(names = { "OFF", "DEBUG" })
	void logsNoApproachBelowTheLevel(DenialLogLevel level, CapturedOutput output) {
		call(limiter(10, listener(level, 80)), ALICE, 10);
		assertThat(this.events).isNotEmpty();
		assertThat(output).doesNotContain("of its limit");
	}

	@Test
	void publishesNoApproachOfALimitWhoseBurstIsOne() {
		call(limiter(1, this.listener), ALICE, 1);
		assertThat(this.events).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 101, -1 })
	void refusesWhatIsNoPercentage(int percent) {
		RateLimitContext.inMemory()
			.withPropertyValues("ratelimit.near-limit=" + percent, "ratelimit.events.enabled=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("it is a percentage from 1% to 100%"));
	}

	@Test
	void reachesListenersOfTheApplication() {
		RateLimitContext.inMemory()
			.withPropertyValues("ratelimit.policies.api.limits=2/1h", "ratelimit.near-limit=100",
					"ratelimit.events.enabled=true")
			.withBean(Listener.class)
			.run((context) -> {
				call(context.getBean(RateLimiter.class), ALICE, 3);
				assertThat(context.getBean(Listener.class).heard).containsExactly("approached " + ALICE,
						"denied " + ALICE);
			});
	}

	@Test
	void publishesNothingUnlessEnabled() {
		RateLimitContext.inMemory()
			.withPropertyValues("ratelimit.policies.api.limits=1/1h")
			.withBean(Listener.class)
			.run((context) -> {
				call(context.getBean(RateLimiter.class), ALICE, 3);
				assertThat(context.getBean(Listener.class).heard).isEmpty();
			});
	}

	private List<RateLimitDenied> denied() {
		return this.events.stream().filter(RateLimitDenied.class::isInstance).map(RateLimitDenied.class::cast).toList();
	}

	private DecisionEvents listener(DenialLogLevel level, Integer... thresholds) {
		return new DecisionEvents(this.events::add, INTERVAL, new Thresholds(List.of(thresholds), Map.of()), level,
				this.millis::get);
	}

	private static RateLimiter limiter(int permits, DecisionEvents listener) {
		Limit limit = Limit.parse(permits + "/1h", Algorithm.FIXED_WINDOW);
		return limiter(new Policy("api", List.of(limit), List.of("global")), listener);
	}

	private static RateLimiter limiter(Policy policy, DecisionEvents listener) {
		return new RateLimiter(new Policies(List.of(policy)), new MemoryRateLimitStore(10_000), List.of(listener));
	}

	private static void call(RateLimiter limiter, String key, int calls) {
		for (int call = 0; call < calls; call++) {
			limiter.acquire(Charge.of("api", key));
		}
	}

	static class Listener {

		private final List<String> heard = new ArrayList<>();

		@EventListener
		void denied(RateLimitDenied event) {
			this.heard.add("denied " + event.key());
		}

		@EventListener
		void approached(RateLimitApproached event) {
			this.heard.add("approached " + event.key());
		}

	}

}
