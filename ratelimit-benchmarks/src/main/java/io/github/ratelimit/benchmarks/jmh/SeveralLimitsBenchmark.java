package io.github.ratelimit.benchmarks.jmh;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A permit of one policy with one or more limits, counted in memory.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SeveralLimitsBenchmark {

	private final Charge charge = Charge.of(Rates.POLICY, "client-ip:192.0.2.1");

	/** The number of limits. */
	@Param({ "1", "2", "4" })
	private int limits;

	private RateLimiter limiter = limiter(1);

	/** Makes the limits. */
	@Setup
	public void limits() {
		this.limiter = limiter(this.limits);
	}

	/**
	 * Acquires a permit.
	 * @return the decision
	 */
	@Benchmark
	public Decision acquire() {
		return this.limiter.acquire(this.charge);
	}

	private static RateLimiter limiter(int count) {
		Limit[] limits = Stream.of("1h", "2h", "30m", "15m")
			.limit(count)
			.map((period) -> Rates.limit(Rates.PERMITS + "/" + period).withBurst(Rates.BURST))
			.toArray(Limit[]::new);
		return new RateLimiter(Rates.policies(limits), new MemoryRateLimitStore(1000), List.of());
	}

}
