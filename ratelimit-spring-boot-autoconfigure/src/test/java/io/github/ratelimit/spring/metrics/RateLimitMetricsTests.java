package io.github.ratelimit.spring.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.MissingKeyException;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class RateLimitMetricsTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(100);

	private final RateLimitMetrics metrics = new RateLimitMetrics(this.registry, this.store, this.store);

	private final RateLimiter limiter = new RateLimiter(
			new Policies(List.of(policy("one", "1/1h"), policy("many", "100/1h"))), this.store, List.of(this.metrics));

	@Test
	void countsRequestsByPolicyAndOutcome() {
		this.limiter.acquire(List.of(Charge.of("one", "alice"), Charge.of("many", "alice")));
		this.limiter.acquire(List.of(Charge.of("one", "alice"), Charge.of("many", "alice")));
		this.limiter.acquire(Charge.of("one", "alice"));
		assertThat(requests("one", "allowed")).isEqualTo(1);
		assertThat(requests("one", "denied")).isEqualTo(2);
		assertThat(requests("many", "allowed")).isEqualTo(1);
		assertThat(requests("many", "not_charged")).isEqualTo(1);
	}

	@Test
	void countsTheCallsThatWait() {
		Charge charge = Charge.of("one", "alice").waitingUpTo(Duration.ofHours(3));
		this.limiter.acquire(charge);
		assertThat(this.registry.find("ratelimit.waiting").gauge()).isNull();
		List<CompletableFuture<?>> waiting = new ArrayList<>();
		for (int call = 1; call <= 2; call++) {
			waiting.add(this.limiter.acquireAsync(charge).toCompletableFuture());
			assertThat(waiting("one")).isEqualTo(call);
		}
		waiting.forEach((call) -> call.cancel(true));
		assertThat(waiting("one")).isZero();
	}

	private double waiting(String policy) {
		return this.registry.get("ratelimit.waiting").tag("policy", policy).gauge().value();
	}

	@Test
	void countsCostsThatAreNeverAdmitted() {
		List<Charge> charges = List.of(new Charge("one", "alice", 2), Charge.of("many", "alice"));
		assertThatExceptionOfType(UnsatisfiableCostException.class).isThrownBy(() -> this.limiter.acquire(charges));
		assertThat(requests("one", "unsatisfiable")).isEqualTo(1);
		assertThat(requests("many", "not_charged")).isEqualTo(1);
	}

	@Test
	void countsCallsWithoutACost() {
		RateLimitContext.inMemory()
			.withPropertyValues("ratelimit.policies.one.limits=1/1h")
			.withBean(SimpleMeterRegistry.class, () -> this.registry)
			.withBean(CostlyService.class)
			.run((context) -> {
				CostlyService service = context.getBean(CostlyService.class);
				assertThatExceptionOfType(InvalidCostException.class).isThrownBy(() -> service.costing(-1));
				assertThat(requests("one", "invalid_cost")).isEqualTo(1);
			});
	}

	@Test
	void countsShadowDenialsAndSkippedCharges() {
		Policy one = policy("one", "1/1h");
		RateLimiter limiter = new RateLimiter(
				new Policies(List.of(one.withMode(EnforcementMode.ENFORCE, List.of(limit("1/2h"))),
						policy("shadow", "1/1h").withMode(EnforcementMode.SHADOW, List.of()),
						policy("off", "1/1h").withMode(EnforcementMode.OFF, List.of()))),
				this.store, List.of(this.metrics));
		List<Charge> charges = List.of(Charge.of("shadow", "a"), Charge.of("off", "a"));
		limiter.acquire(charges);
		limiter.acquire(charges);
		assertThat(requests("shadow", "allowed")).isEqualTo(1);
		assertThat(requests("shadow", "shadow_denied")).isEqualTo(1);
		assertThat(requests("off", "skipped")).isEqualTo(2);
		limiter.acquire(Charge.of("one", "a"));
		limiter.acquireAsync(List.of(Charge.of("one", "a"), Charge.exempt("one")));
		assertThat(requests("one", "denied")).isEqualTo(1);
		assertThat(requests("one", "skipped")).isEqualTo(1);
		limiter.refund(limiter.reserve(List.of(Charge.of("one", "b"))));
		assertThat(requests("one", "allowed")).isEqualTo(2);
	}

	@Test
	void countsRefusedCallers() {
		RateLimitContext.inMemory()
			.withPropertyValues("ratelimit.policies.one.limits=1/1h", "ratelimit.policies.one.key=#name",
					"ratelimit.policies.one.on-missing-key=deny", "ratelimit.policies.one.blocked=#name == 'mallory'")
			.withBean(SimpleMeterRegistry.class, () -> this.registry)
			.withBean(Service.class)
			.run((context) -> {
				Service service = context.getBean(Service.class);
				assertThatExceptionOfType(BlockedCallerException.class).isThrownBy(() -> service.call("mallory"));
				assertThatExceptionOfType(MissingKeyException.class).isThrownBy(() -> service.call(""));
				assertThat(requests("one", "blocked")).isEqualTo(1);
				assertThat(requests("one", "missing_key")).isEqualTo(1);
			});
	}

	@Test
	void timesWaits() {
		List<LimitDecision> limits = List.of(limitDecision("one", "alice", 0), limitDecision("many", "alice", 2_000),
				limitDecision("many", "alice", 3_000), limitDecision("many", "bob", 0));
		List<Charge> charges = List.of(Charge.of("one", "alice"), Charge.of("many", "alice"), Charge.of("many", "bob"));
		this.metrics.decided(charges, Decision.of(0, limits), 1);
		this.metrics.failed(charges, new RateLimitStoreException("down", null), Decision.of(0, limits), 1);
		assertThat(this.registry.get("ratelimit.wait").timers()).singleElement()
			.satisfies((timer) -> assertThat(timer.getId().getTag("policy")).isEqualTo("many"),
					(timer) -> assertThat(timer.count()).isEqualTo(2),
					(timer) -> assertThat(timer.totalTime(TimeUnit.MICROSECONDS)).isEqualTo(6_000));
	}

	@Test
	void timesAStoreOutsideTheProcess() {
		TestStore outside = new TestStore();
		RateLimitMetrics metrics = new RateLimitMetrics(this.registry, outside, this.store);
		Decision decision = new RateLimiter(new Policies(List.of(policy("one", "1/1h"))), outside, List.of(metrics))
			.acquire(Charge.of("one", "alice"));
		metrics.decided(List.of(), decision, 3_000_000);
		assertThat(this.registry.get("ratelimit.store.latency").tags("store", outside.name(), "outcome", "ok").timer())
			.satisfies((timer) -> assertThat(timer.count()).isEqualTo(2),
					(timer) -> assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isGreaterThan(3_000_000));
	}

	@Test
	void doesNotTimeAStoreInTheProcess() {
		List<Long> elapsed = new ArrayList<>();
		RateLimitListener listener = new RateLimitListener() {

			@Override
			public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
				elapsed.add(elapsedNanos);
			}

		};
		new RateLimiter(new Policies(List.of(policy("one", "1/1h"))), this.store, List.of(listener, this.metrics))
			.acquire(Charge.of("one", "alice"));
		assertThat(elapsed).containsExactly(0L);
		assertThat(this.registry.find("ratelimit.store.latency").timers()).isEmpty();
	}

	@Test
	void countsAndTimesFailures() {
		List<Charge> charges = List.of(Charge.of("one", "alice"));
		this.metrics.failed(charges, new RateLimitStoreException("slow", Kind.TIMEOUT, null), null, 1);
		this.metrics.failed(charges, new RateLimitStoreException("down", null), null, 1);
		assertThat(requests("one", "failed_closed")).isEqualTo(2);
		for (String outcome : List.of("timeout", "error")) {
			assertThat(this.registry.get("ratelimit.store.latency").tag("outcome", outcome).timer().count())
				.isEqualTo(1);
		}
		for (String kind : List.of("timeout", "other")) {
			assertThat(this.registry.get("ratelimit.store.failures").tags("store", "memory", "kind", kind).counter())
				.extracting(Counter::count)
				.isEqualTo(1.0);
		}
	}

	@Test
	void countsDecisionsOfTheFallback() {
		List<Charge> charges = List.of(Charge.of("one", "alice"), Charge.of("many", "alice"),
				Charge.of("open", "alice"));
		RateLimitStoreException failure = new RateLimitStoreException("down", null);
		List<Charge> counted = charges.subList(0, 2);
		this.metrics.failed(charges, failure, this.limiter.acquire(counted), 1);
		this.metrics.failed(charges, failure, this.limiter.acquire(counted), 1);
		assertThat(requests("one", "fallback_allowed")).isEqualTo(1);
		assertThat(requests("one", "fallback_denied")).isEqualTo(1);
		assertThat(requests("many", "fallback_allowed")).isEqualTo(1);
		assertThat(requests("many", "not_charged")).isEqualTo(2);
		assertThat(requests("open", "failed_open")).isEqualTo(1);
		assertThat(requests("open", "not_charged")).isEqualTo(1);
	}

	@ParameterizedTest
	@CsvSource({ "CLOSED, 0", "HALF_OPEN, 1", "OPEN, 2" })
	void gaugesTheBreakerOfTheStore(BreakerState state, double value) {
		RateLimitStore breaking = mock();
		given(breaking.name()).willReturn("redis");
		given(breaking.breakerState()).willReturn(state);
		new RateLimitMetrics(this.registry, breaking, this.store);
		assertThat(this.registry.get("ratelimit.breaker.state").tag("store", "redis").gauge().value()).isEqualTo(value);
	}

	@Test
	void gaugesTheCountsInMemory() {
		this.limiter.acquire(Charge.of("one", "alice"));
		this.limiter.acquire(Charge.of("one", "bob"));
		assertThat(this.registry.get("ratelimit.memory.keys").gauge().value()).isEqualTo(2);
	}

	@Test
	void countsEvictedAndSharedCounts() {
		MemoryRateLimitStore small = new MemoryRateLimitStore(1);
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		new RateLimitMetrics(meters, small, small);
		RateLimiter limiter = new RateLimiter(new Policies(List.of(policy("many", "100/1h"))), small, List.of());
		limiter.acquire(Charge.of("many", "alice"));
		limiter.acquire(new Charge("many", "bob", 50));
		limiter.acquire(Charge.of("many", "carol"));
		assertThat(meters.get("ratelimit.memory.dropped").functionCounter().count()).isEqualTo(1);
		assertThat(meters.get("ratelimit.memory.shared").functionCounter().count()).isEqualTo(1);
	}

	@Test
	void gaugesTheMemoryOfLogsAndCountsCoarsenedOnes() {
		MemoryRateLimitStore small = new MemoryRateLimitStore(1, 800);
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		new RateLimitMetrics(meters, small, small);
		Policy policy = new Policy("log", List.of(Limit.parse("1000000/1d", Algorithm.SLIDING_WINDOW_LOG)),
				List.of("global"));
		RateLimiter limiter = new RateLimiter(new Policies(List.of(policy)), small, List.of());
		while (small.coarsened() == 0) {
			limiter.acquire(Charge.of("log", "alice"));
		}
		assertThat(meters.get("ratelimit.memory.log.size").gauge().value()).isBetween(100.0, 800.0);
		assertThat(meters.get("ratelimit.memory.coarsened").functionCounter().count()).isEqualTo(1);
	}

	@Test
	void countsFromZeroWhatAlertsWatchOfEveryPolicy() {
		RateLimitContext.inMemory()
			.withPropertyValues("ratelimit.policies.one.limits=1/1h", "ratelimit.policies.other.limits=1/1h",
					"ratelimit.near-limit=80")
			.withBean(SimpleMeterRegistry.class, () -> this.registry)
			.withBean(InlineService.class)
			.run((context) -> {
				for (String policy : context.getBean(Policies.class).names()) {
					assertThat(outcomes(policy)).containsExactlyInAnyOrder("allowed", "near_limit", "denied",
							"shadow_denied", "failed_open", "failed_closed", "fallback_allowed", "fallback_denied",
							"blocked", "banned", "missing_key");
					assertThat(this.registry.get("ratelimit.missing.keys").tag("policy", policy).counter().count())
						.isZero();
				}
				assertThat(context.getBean(Policies.class).names()).hasSize(3);
				assertThat(this.registry.get("ratelimit.requests").counters())
					.allMatch((counter) -> counter.count() == 0);
			});
	}

	@Test
	void countsNoCallsNearALimitUnlessConfigured() {
		this.metrics.register(List.of("one"));
		assertThat(outcomes("one")).hasSize(10).doesNotContain("near_limit");
	}

	@Test
	void countsFromZeroWhatAlertsWatchOfAPolicyThatIsChargedFirst() {
		this.limiter.acquire(Charge.of("one", "alice"));
		assertThat(outcomes("one")).contains("denied", "failed_open");
		assertThat(requests("one", "failed_open")).isZero();
		assertThat(requests("one", "allowed")).isEqualTo(1);
	}

	@Test
	void countsFromZeroEveryKindOfFailureOfAStoreThatCanFail() {
		assertThat(this.registry.find("ratelimit.store.failures").counters()).isEmpty();
		RateLimitStore shared = mock();
		given(shared.name()).willReturn("redis");
		given(shared.breakerState()).willReturn(BreakerState.CLOSED);
		new RateLimitMetrics(this.registry, shared, this.store);
		assertThat(this.registry.get("ratelimit.store.failures").counters()).allMatch((counter) -> counter.count() == 0)
			.extracting((counter) -> counter.getId().getTag("kind"))
			.containsExactlyInAnyOrder("timeout", "connection", "readonly", "oom", "busy", "loading", "auth", "cluster",
					"open", "other");
	}

	@Test
	void tagsNoCaller() {
		for (int caller = 0; caller < 50; caller++) {
			this.limiter.acquire(Charge.of("one", "caller-" + caller));
		}
		assertThat(this.registry.getMeters()).hasSize(18)
			.flatExtracting((meter) -> meter.getId().getTags())
			.extracting(Tag::getKey)
			.containsOnly("policy", "outcome", "store");
		assertThat(this.registry.getMeters()).extracting(Meter::getId)
			.noneMatch((id) -> id.toString().contains("caller"));
	}

	private static LimitDecision limitDecision(String policy, String key, long waitMicros) {
		return new LimitDecision(policy, key, limit("1/1h"), 0, 0, 0, waitMicros);
	}

	private List<String> outcomes(String policy) {
		return this.registry.get("ratelimit.requests")
			.tag("policy", policy)
			.counters()
			.stream()
			.map((counter) -> counter.getId().getTag("outcome"))
			.toList();
	}

	private double requests(String policy, String outcome) {
		return this.registry.get("ratelimit.requests").tags("policy", policy, "outcome", outcome).counter().count();
	}

	private static Limit limit(String rate) {
		return Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse(rate));
	}

	private static Policy policy(String name, String rate) {
		return new Policy(name, List.of(limit(rate)), List.of("global"));
	}

	static class Service {

		@RateLimited("one")
		void call(String name) {
		}

	}

	static class InlineService {

		@RateLimited(limit = "5/1m", key = "global")
		void call() {
		}

	}

	static class CostlyService {

		@RateLimited(policy = "one", cost = "#cost")
		void costing(int cost) {
		}

	}

}
