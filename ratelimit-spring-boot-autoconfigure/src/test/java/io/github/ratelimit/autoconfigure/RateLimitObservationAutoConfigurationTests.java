package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.spring.metrics.DecisionObservations;
import io.github.ratelimit.spring.metrics.ObservationScopes;
import io.github.ratelimit.spring.metrics.RateLimitMetrics;
import io.github.ratelimit.spring.metrics.RateLimitObservationConvention;
import io.github.ratelimit.spring.metrics.RateLimitObservations;
import io.github.ratelimit.spring.metrics.RecordedObservations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitObservationAutoConfigurationTests {

	private static final Charge CHARGE = Charge.of("quotes", "alice");

	private final RecordedObservations recorded = new RecordedObservations();

	private final ApplicationContextRunner context = RateLimitContext.inMemory()
		.withPropertyValues("ratelimit.policies.quotes.limits=1/1h");

	private final ApplicationContextRunner observed = this.context.withBean(ObservationRegistry.class,
			this.recorded::registry);

	@Test
	void observesNothingWithoutARegistry() {
		this.context.run((context) -> assertThat(context).hasSingleBean(RateLimiter.class)
			.doesNotHaveBean(RateLimitObservations.class)
			.doesNotHaveBean(ObservationScopes.class)
			.doesNotHaveBean(DecisionObservations.class));
	}

	@Test
	void observesNothingWhereTheLimiterIsOff() {
		this.observed.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RateLimitObservations.class));
	}

	@Test
	void countsWithoutMicrometersObservations() {
		this.context.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withClassLoader(new FilteredClassLoader("io.micrometer.observation"))
			.run((context) -> {
				assertThat(context).hasSingleBean(RateLimitMetrics.class);
				context.getBean(RateLimiter.class).acquire(CHARGE);
				assertThat(context.getBean(MeterRegistry.class)
					.get("ratelimit.requests")
					.tag("outcome", "allowed")
					.counter()
					.count()).isOne();
			});
	}

	@Test
	void addsToTheCurrentObservationAlone() {
		this.observed.run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiter.class);
			limiter.acquire(CHARGE);
			assertThat(this.recorded.count()).isZero();
			ObservationRegistry registry = context.getBean(ObservationRegistry.class);
			Observation.createNotStarted("request", registry).observe(() -> {
				limiter.acquire(CHARGE);
			});
			assertThat(RecordedObservations.high(this.recorded.next(), "ratelimit.outcome")).isEqualTo("denied");
			assertThat(this.recorded.count()).isZero();
		});
	}

	@Test
	void observesDecisionsIfThatIsOn() {
		this.observed.withPropertyValues("ratelimit.observe-decisions=true").run((context) -> {
			context.getBean(RateLimiter.class).acquire(CHARGE);
			assertThat(this.recorded.next().getName()).isEqualTo("ratelimit.decision");
		});
	}

	@Test
	void observesDecisionsByTheConventionOfTheApplication() {
		this.observed.withPropertyValues("ratelimit.observe-decisions=true")
			.withBean(RateLimitObservationConvention.class, OwnConvention::new)
			.run((context) -> {
				context.getBean(RateLimiter.class).acquire(CHARGE);
				assertThat(this.recorded.next().getName()).isEqualTo("limits");
			});
	}

	static class OwnConvention extends RateLimitObservationConvention {

		@Override
		public String getName() {
			return "limits";
		}

	}

}
