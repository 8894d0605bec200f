package io.github.ratelimit.benchmarks.jmh;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the cost that the limiter adds to a store.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LimiterBenchmark {

	private final Charge charge = Charge.of(Rates.POLICY, "client-ip:192.0.2.1");

	private final RateLimiter memory = limiter(new MemoryRateLimitStore(1000));

	private final RateLimiter denying = limiter(new Denying());

	/**
	 * One permit of one policy, counted in memory.
	 * @return the decision
	 */
	@Benchmark
	public Decision acquire() {
		return this.memory.acquire(this.charge);
	}

	/**
	 * One permit of one policy, denied by a store that does nothing else.
	 * @return the decision
	 */
	@Benchmark
	public Decision denied() {
		return this.denying.acquire(this.charge);
	}

	private static RateLimiter limiter(RateLimitStore store) {
		return new RateLimiter(Rates.policies(Rates.roomy()), store, List.of());
	}

	/** Answers every call alike. */
	private static final class Denying implements RateLimitStore {

		private final Decision decision = Decision.of(1,
				List.of(new LimitDecision(Rates.POLICY, "key", Rates.roomy(), 0, 1, 1, 0)));

		@Override
		public String name() {
			return "denying";
		}

		@Override
		public Decision execute(StoreRequest request) {
			return this.decision;
		}

		@Override
		public CompletionStage<Decision> executeAsync(StoreRequest request) {
			return CompletableFuture.completedStage(this.decision);
		}

	}

}
