package io.github.ratelimit.spring.metrics;

import java.util.List;
import java.util.concurrent.CompletionStage;

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
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.TestStore;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RateLimitObservationsTests {

	private final RecordedObservations recorded = new RecordedObservations();

	private final ObservationRegistry registry = this.recorded.registry();

	private final RateLimitObservations observations = new RateLimitObservations(this.registry);

	private final TestStore store = new TestStore(() -> 0).delay();

	private final RateLimiter limiter = limiter(this.store);

	@Test
	void addTheOutcomeToTheCurrentObservation() {
		Observation.Context context = observed(() -> this.limiter.acquire(Charge.of("one", "alice")));
		assertThat(outcome(context)).isEqualTo("allowed");
		assertThat(policy(context)).isNull();
		assertThat(this.recorded.events()).isEmpty();
	}

	@Test
	void addThePolicyThatDeniesAndAnEvent() {
		List<Charge> charges = List.of(Charge.of("many", "alice"), Charge.of("one", "alice"));
		this.limiter.acquire(charges);
		Observation.Context context = observed(() -> this.limiter.acquire(charges));
		assertThat(outcome(context)).isEqualTo("denied");
		assertThat(policy(context)).isEqualTo("one");
		assertThat(this.recorded.events()).containsExactly("request: ratelimit.denied");
	}

	@Test
	void keepTheWorstOutcomeOfSeveralCalls() {
		Observation.Context context = observed(() -> {
			this.limiter.acquire(Charge.of("one", "alice"));
			this.limiter.acquire(Charge.of("one", "alice"));
			this.limiter.acquire(Charge.of("many", "alice"));
		});
		assertThat(outcome(context)).isEqualTo("denied");
		assertThat(policy(context)).isEqualTo("one");
	}

	@Test
	void addToTheObservationOfTheCallThoughAnotherThreadReceivesTheDecision() {
		this.limiter.acquire(Charge.of("one", "alice"));
		Observation call = Observation.start("request", this.registry);
		CompletionStage<Decision> decision = call.scoped(() -> this.limiter.acquireAsync(Charge.of("one", "alice")));
		assertThat(call.getContext().getAllKeyValues()).isEmpty();
		observed(this.store::complete);
		assertThat(decision).isCompleted();
		assertThat(outcome(call.getContext())).isEqualTo("denied");
		assertThat(this.recorded.events()).containsExactly("request: ratelimit.denied");
	}

	@Test
	void addFailuresOfTheStore() {
		RateLimiter failing = limiter(new TestStore(() -> 0).fail());
		assertThat(outcome(observed(() -> failing.acquire(Charge.of("one", "alice"))))).isEqualTo("fallback_allowed");
		assertThat(outcome(observed(() -> failing.acquire(Charge.of("open", "alice"))))).isEqualTo("failed_open");
		Observation.Context closed = observed(() -> assertThatExceptionOfType(RateLimitStoreException.class)
			.isThrownBy(() -> failing.acquire(Charge.of("closed", "alice"))));
		assertThat(outcome(closed)).isEqualTo("failed_closed");
		assertThat(policy(closed)).isEqualTo("closed");
		assertThat(this.recorded.events()).containsExactly("request: ratelimit.denied");
	}

	@Test
	void addCallsThatNoStoreDecides() {
		Observation.Context unsatisfiable = observed(() -> assertThatExceptionOfType(UnsatisfiableCostException.class)
			.isThrownBy(() -> this.limiter.acquire(new Charge("one", "alice", 2))));
		assertThat(outcome(unsatisfiable)).isEqualTo("unsatisfiable");
		Observation.Context skipped = observed(() -> this.limiter.acquire(List.of(Charge.exempt("one"))));
		assertThat(outcome(skipped)).isEqualTo("skipped");
		assertThat(policy(skipped)).isNull();
	}

	@Test
	void addRefusalsAndInvalidCosts() {
		RateLimitContext.inMemory()
			.withPropertyValues("ratelimit.policies.one.limits=1/1h", "ratelimit.policies.one.key=#name",
					"ratelimit.policies.one.on-missing-key=deny", "ratelimit.policies.one.blocked=#name == 'mallory'")
			.withBean(ObservationRegistry.class, () -> this.registry)
			.withBean(Service.class)
			.run((context) -> {
				Service service = context.getBean(Service.class);
				assertThat(outcome(observed(() -> assertThatExceptionOfType(BlockedCallerException.class)
					.isThrownBy(() -> service.call("mallory", 1))))).isEqualTo("blocked");
				assertThat(outcome(observed(() -> assertThatExceptionOfType(MissingKeyException.class)
					.isThrownBy(() -> service.call("", 1))))).isEqualTo("missing_key");
				assertThat(outcome(observed(() -> assertThatExceptionOfType(InvalidCostException.class)
					.isThrownBy(() -> service.call("alice", -1))))).isEqualTo("invalid_cost");
			});
		assertThat(this.recorded.events()).hasSize(3);
	}

	@Test
	void addNoTagsOfMetersAndNoCaller() {
		Observation.Context context = observed(() -> {
			this.limiter.acquire(Charge.of("one", "alice"));
			this.limiter.acquire(Charge.of("one", "alice"));
		});
		assertThat(context.getLowCardinalityKeyValues()).isEmpty();
		assertThat(context.getHighCardinalityKeyValues().toString()).doesNotContain("alice");
	}

	@Test
	void rememberNothingOfACallThatNothingObserves() {
		List<Charge> charges = List.of(Charge.of("one", "alice"));
		assertThat(this.observations.forCall(charges)).isSameAs(this.observations);
		RateLimitListener unobserved = new RateLimitObservations(ObservationRegistry.NOOP);
		RateLimitListener unhandled = new RateLimitObservations(ObservationRegistry.create());
		observed(() -> {
			assertThat(this.observations.forCall(charges)).isNotSameAs(this.observations);
			assertThat(unobserved.forCall(charges)).isSameAs(unobserved);
			assertThat(unhandled.forCall(charges)).isSameAs(unhandled);
		});
	}

	private Observation.Context observed(Runnable call) {
		Observation observation = Observation.createNotStarted("request", this.registry);
		observation.observe(call);
		return observation.getContext();
	}

	private static String outcome(Observation.Context context) {
		return String.valueOf(RecordedObservations.high(context, "ratelimit.outcome"));
	}

	private static @Nullable String policy(Observation.Context context) {
		return RecordedObservations.high(context, "ratelimit.policy");
	}

	private RateLimiter limiter(RateLimitStore store) {
		return new RateLimiter(
				new Policies(List.of(policy("one", "1/1h"), policy("many", "100/1h"),
						policy("open", OnStoreFailure.ALLOW), policy("closed", OnStoreFailure.DENY))),
				store, List.of(this.observations));
	}

	private static Policy policy(String name, OnStoreFailure onStoreFailure) {
		return policy(name, "1/1h").withOptions(PolicyOptions.STANDARD.withStoreFailure(onStoreFailure, 100));
	}

	private static Policy policy(String name, String rate) {
		return new Policy(name, List.of(Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse(rate))), List.of("global"));
	}

	static class Service {

		@RateLimited(policy = "one", cost = "#cost")
		void call(String name, int cost) {
		}

	}

}
