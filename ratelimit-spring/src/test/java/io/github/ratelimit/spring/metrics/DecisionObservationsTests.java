package io.github.ratelimit.spring.metrics;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DecisionObservationsTests {

	private static final List<Charge> CHARGES = List.of(Charge.of("many", "alice"), Charge.of("one", "alice"));

	private final RecordedObservations recorded = new RecordedObservations();

	private final ObservationRegistry registry = this.recorded.registry();

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(100);

	private final DecisionObservations observations = new DecisionObservations(this.registry, this.store, null);

	private final RateLimiter limiter = new RateLimiter(
			new Policies(List.of(policy("one", "1/1h"), policy("many", "100/1h"))), this.store,
			List.of(this.observations));

	@Test
	void nameTheStoreTheOutcomeAndThePolicyOfADecision() throws InterruptedException {
		this.limiter.acquire(CHARGES);
		assertThat(values(this.recorded.next())).containsExactlyInAnyOrder("store=memory", "outcome=allowed",
				"policy=many");
		this.limiter.acquireAsync(CHARGES);
		Observation.Context denied = this.recorded.next();
		assertThat(values(denied)).containsExactlyInAnyOrder("store=memory", "outcome=denied", "policy=one");
		assertThat(denied.getName()).isEqualTo("ratelimit.decision");
		assertThat(denied.getContextualName()).isEqualTo("ratelimit many,one");
		assertThat(denied.getError()).isNull();
		assertThat(RecordedObservations.high(denied, "policies")).isEqualTo("many,one");
		assertThat(((RateLimitObservationContext) denied).getDecision()).isNotNull();
		assertThat(denied.getAllKeyValues().toString()).doesNotContain("alice");
	}

	@Test
	void areChildrenOfTheCurrentObservation() throws InterruptedException {
		Observation request = Observation.createNotStarted("request", this.registry);
		request.observe(() -> {
			this.limiter.acquire(CHARGES);
		});
		assertThat(this.recorded.next().getParentObservation()).isSameAs(request);
	}

	@Test
	void reportFailuresOfTheStoreAsErrors() throws InterruptedException {
		RateLimitStoreException failure = new RateLimitStoreException("down", null);
		this.observations.forCall(CHARGES).failed(CHARGES, failure, null, 1);
		Observation.Context failed = this.recorded.next();
		assertThat(values(failed)).contains("outcome=failed_closed", "policy=many");
		assertThat(failed.getError()).isSameAs(failure);
		this.observations.forCall(CHARGES).failed(CHARGES, failure, Decision.UNLIMITED, 1);
		assertThat(values(this.recorded.next())).contains("outcome=failed_open");
		IllegalStateException cause = new IllegalStateException();
		this.observations.forCall(CHARGES).abandoned(CHARGES, cause);
		Observation.Context abandoned = this.recorded.next();
		assertThat(values(abandoned)).contains("outcome=unknown", "policy=many");
		assertThat(abandoned.getError()).isSameAs(cause);
	}

	@Test
	void followTheConventionOfTheApplication() throws InterruptedException {
		RateLimitObservationConvention convention = new RateLimitObservationConvention() {

			@Override
			public String getName() {
				return "limits";
			}

			@Override
			public KeyValues getLowCardinalityKeyValues(RateLimitObservationContext context) {
				return super.getLowCardinalityKeyValues(context).and("charged",
						String.valueOf(context.getPolicies().size()));
			}

		};
		RateLimitListener observations = new DecisionObservations(this.registry, this.store, convention);
		observations.forCall(CHARGES).decided(CHARGES, Decision.UNLIMITED, 1);
		Observation.Context context = this.recorded.next();
		assertThat(context.getName()).isEqualTo("limits");
		assertThat(values(context)).contains("charged=2", "outcome=allowed");
	}

	@Test
	void becomeATimerWithDocumentedTags() {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		this.registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
		this.limiter.acquire(CHARGES);
		assertThat(meters.get("ratelimit.decision")
			.tags("store", "memory", "outcome", "allowed", "policy", "many", "error", "none")
			.timer()
			.totalTime(TimeUnit.NANOSECONDS)).isPositive();
		assertThat(meters.get("ratelimit.decision.active").longTaskTimer().activeTasks()).isZero();
		assertThat(meters.get("ratelimit.decision").timer().getId().getTags()).extracting(Tag::getKey)
			.containsExactlyInAnyOrder("store", "outcome", "policy", "error");
	}

	@Test
	void areNoneWhereNothingHandlesThem() {
		RateLimitListener unhandled = new DecisionObservations(ObservationRegistry.create(), this.store, null);
		assertThat(unhandled.forCall(CHARGES)).isSameAs(unhandled);
	}

	private static List<String> values(Observation.Context context) {
		return context.getLowCardinalityKeyValues().stream().map(DecisionObservationsTests::text).toList();
	}

	private static String text(KeyValue value) {
		return value.getKey() + "=" + value.getValue();
	}

	private static Policy policy(String name, String rate) {
		return new Policy(name, List.of(Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse(rate))), List.of("global"));
	}

}
