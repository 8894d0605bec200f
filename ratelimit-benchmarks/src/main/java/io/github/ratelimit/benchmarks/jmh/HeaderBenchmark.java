package io.github.ratelimit.benchmarks.jmh;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.http.RateLimitHeaders;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The response headers of a decision on one limit.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HeaderBenchmark {

	private final Decision decision = Decision.of(1,
			List.of(new LimitDecision(Rates.POLICY, "key", Rates.limit("100/1m"), 41, 0, 30_000_000, 0)));

	/** How headers are written. */
	@Param
	private RateLimitHeaders dialect = RateLimitHeaders.DRAFT_11;

	/**
	 * Renders them.
	 * @return headers by name
	 */
	@Benchmark
	public Map<String, String> headers() {
		return this.dialect.of(this.decision);
	}

}
