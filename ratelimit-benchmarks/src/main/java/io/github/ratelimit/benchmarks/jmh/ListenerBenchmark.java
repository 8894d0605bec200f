package io.github.ratelimit.benchmarks.jmh;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.Thresholds;
import io.github.ratelimit.spring.event.DecisionEvents;
import io.github.ratelimit.spring.event.DenialLogLevel;
import io.github.ratelimit.spring.top.TopExchange;
import io.github.ratelimit.spring.top.TopKeys;
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
 * A decision in memory on one of 1,024 keys, with listeners that a starter adds.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ListenerBenchmark {

	private static final int KEYS = 1024;

	private static final Thresholds NEAR_LIMIT = new Thresholds(List.of(80), Map.of());

	private final String[] keys = IntStream.range(0, KEYS)
		.mapToObj((key) -> "client-ip:192.0.2." + key)
		.toArray(String[]::new);

	@Param
	private Listeners listeners = Listeners.NONE;

	private RateLimiter limiter = limiter(List.of());

	private int next;

	/** Makes the limiter. */
	@Setup
	public void listen() {
		RateLimitListener top = new TopKeys(TopExchange.NONE, false, System::nanoTime);
		RateLimitListener events = new DecisionEvents((event) -> {
		}, Duration.ofSeconds(10), NEAR_LIMIT, DenialLogLevel.DEBUG, System::currentTimeMillis);
		this.limiter = limiter(switch (this.listeners) {
			case NONE -> List.of();
			case TOP_KEYS -> List.of(top);
			case EVENTS -> List.of(events);
		});
	}

	/**
	 * One permit of a key.
	 * @return the decision
	 */
	@Benchmark
	public Decision acquire() {
		this.next = (this.next + 1) % KEYS;
		return this.limiter.acquire(Charge.of(Rates.POLICY, this.keys[this.next]));
	}

	private static RateLimiter limiter(List<RateLimitListener> listeners) {
		return new RateLimiter(Rates.policies(Rates.roomy()), new MemoryRateLimitStore(100_000), listeners);
	}

	/** The listeners. */
	public enum Listeners {

		/** None. */
		NONE,

		/** The one that counts top keys. */
		TOP_KEYS,

		/** The one that publishes events, from 80 % of a limit on. */
		EVENTS

	}

}
