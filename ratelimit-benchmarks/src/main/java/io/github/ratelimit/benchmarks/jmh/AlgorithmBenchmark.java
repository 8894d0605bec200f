package io.github.ratelimit.benchmarks.jmh;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
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
 * A permit of a key's count in memory, by algorithm. All calls are admitted.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AlgorithmBenchmark {

	private static final int MAX_KEYS = 1_000_000;

	private final RateLimitStore store = new MemoryRateLimitStore(MAX_KEYS);

	/** The limit. A log forgets soon, as it would not fit the memory. */
	@Param({ "1000/1h burst 1000000000", "1000000000/1h fixed-window", "1000000000/1h sliding-window-counter",
			"1000000/1ms sliding-window-log" })
	private String limit = "";

	/** The number of keys. */
	@Param({ "1", "10000" })
	private int keys;

	private List<List<PermitRequest>> permits = List.of();

	/** Makes the requests. */
	@Setup
	public void requests() {
		PolicyLimit policyLimit = Rates.policyLimit(Limit.parse(this.limit, Algorithm.TOKEN_BUCKET));
		this.permits = IntStream.range(0, this.keys)
			.mapToObj((key) -> List.of(new PermitRequest(policyLimit, "client-ip:192.0.2." + key, 1, 0)))
			.toList();
	}

	/**
	 * The memory store.
	 * @param turn whose key is charged
	 * @return the decision
	 */
	@Benchmark
	public Decision acquire(MemoryStoreBenchmark.Turn turn) {
		return this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, this.permits.get(turn.next(this.keys))));
	}

}
