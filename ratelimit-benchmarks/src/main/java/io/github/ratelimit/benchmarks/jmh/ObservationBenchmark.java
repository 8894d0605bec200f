package io.github.ratelimit.benchmarks.jmh;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.Thresholds;
import io.github.ratelimit.spring.metrics.DecisionObservations;
import io.github.ratelimit.spring.metrics.ObservationScopes;
import io.github.ratelimit.spring.metrics.RateLimitMetrics;
import io.github.ratelimit.spring.metrics.RateLimitObservations;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A decision in memory with meters, observed or not.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ObservationBenchmark {

	private final Charge charge = Charge.of(Rates.POLICY, "client-ip:192.0.2.1");

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(1000);

	private final MeterRegistry meters = new SimpleMeterRegistry();

	/** The registry of observations. */
	@Param
	private Registry registry = Registry.NONE;

	private RateLimiter limiter = limiter(List.of());

	/** Makes the limiter, and an observation current if there has to be one. */
	@Setup
	public void observe() {
		ObservationRegistry observations = (this.registry == Registry.NOOP) ? ObservationRegistry.NOOP
				: ObservationRegistry.create();
		observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(this.meters));
		RateLimitListener metrics = new RateLimitMetrics(this.meters, this.store, this.store,
				new ObservationScopes(observations), Thresholds.NONE);
		RateLimitListener current = new RateLimitObservations(observations);
		this.limiter = limiter(switch (this.registry) {
			case NO_METERS -> List.of();
			case NONE -> List.of(new RateLimitMetrics(this.meters, this.store, this.store));
			case NOOP, NOTHING_CURRENT, CURRENT -> List.of(metrics, current);
			case OWN -> List.of(metrics, current, new DecisionObservations(observations, this.store, null));
		});
		if (this.registry == Registry.CURRENT || this.registry == Registry.OWN) {
			Observation.start("request", observations).openScope();
		}
	}

	/**
	 * One permit of one policy.
	 * @return the decision
	 */
	@Benchmark
	public Decision acquire() {
		return this.limiter.acquire(this.charge);
	}

	private RateLimiter limiter(List<RateLimitListener> listeners) {
		return new RateLimiter(Rates.policies(Rates.roomy()), this.store, listeners);
	}

	/** The registries that observe. */
	public enum Registry {

		/** None, and no meters. */
		NO_METERS,

		/** None. */
		NONE,

		/** The one that observes nothing. */
		NOOP,

		/** One without a current observation. */
		NOTHING_CURRENT,

		/** One with a current observation. */
		CURRENT,

		/** The same, and an observation of the decision itself. */
		OWN

	}

}
