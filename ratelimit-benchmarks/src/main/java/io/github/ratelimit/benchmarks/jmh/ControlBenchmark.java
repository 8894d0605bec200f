package io.github.ratelimit.benchmarks.jmh;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.KeyControl;
import io.github.ratelimit.policy.KeyControls;
import io.github.ratelimit.policy.KeyControls.Subject;
import io.github.ratelimit.policy.Policies;
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
 * A decision in memory on one of 1,024 keys, while other keys are banned.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ControlBenchmark {

	private static final int KEYS = 1024;

	/** The number of banned keys. */
	@Param({ "0", "1", "10000" })
	private int bans;

	private final Policies policies = Rates.policies(Rates.roomy());

	private final RateLimiter limiter = new RateLimiter(this.policies, new MemoryRateLimitStore(100_000), List.of());

	private final String[] keys = IntStream.range(0, KEYS)
		.mapToObj((key) -> "client-ip:192.0.2." + key)
		.toArray(String[]::new);

	private int next;

	/** Bans the other keys. */
	@Setup
	public void ban() {
		this.policies.control(new KeyControls(IntStream.range(0, this.bans)
			.mapToObj((key) -> new Subject(Rates.POLICY, "client-ip:198.51.100." + key))
			.collect(Collectors.toMap(Function.identity(), (subject) -> KeyControl.BAN))));
	}

	/**
	 * One permit of a key that is not banned.
	 * @return the decision
	 */
	@Benchmark
	public Decision acquire() {
		this.next = (this.next + 1) % KEYS;
		return this.limiter.acquire(Charge.of(Rates.POLICY, this.keys[this.next]));
	}

}
