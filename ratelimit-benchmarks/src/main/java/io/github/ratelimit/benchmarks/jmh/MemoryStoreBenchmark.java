package io.github.ratelimit.benchmarks.jmh;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.ratelimit.Charge;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A permit of a key's count in memory.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MemoryStoreBenchmark {

	private static final int MAX_KEYS = 1_000_000;

	private final ConcurrentHashMap<String, AtomicLong> floor = new ConcurrentHashMap<>();

	private final RateLimitStore store = new MemoryRateLimitStore(MAX_KEYS);

	private final io.github.ratelimit.RateLimiter limiter = new io.github.ratelimit.RateLimiter(
			Rates.policies(Rates.roomy()), new MemoryRateLimitStore(MAX_KEYS), List.of());

	private final Cache<String, Bucket> buckets = Caffeine.newBuilder().maximumSize(MAX_KEYS).build();

	private final ConcurrentHashMap<String, RateLimiter> limiters = new ConcurrentHashMap<>();

	private final RateLimiterConfig limiterConfig = RateLimiterConfig.custom()
		.limitForPeriod(Rates.BURST)
		.limitRefreshPeriod(Duration.ofHours(1))
		.timeoutDuration(Duration.ZERO)
		.build();

	/** How many keys there are. */
	@Param({ "1", "10000" })
	private int keys;

	private String[] names = {};

	private List<List<PermitRequest>> permits = List.of();

	/** Makes the keys. */
	@Setup
	public void names() {
		this.names = IntStream.range(0, this.keys).mapToObj((key) -> "client-ip:192.0.2." + key).toArray(String[]::new);
		PolicyLimit policyLimit = Rates.policyLimit(Rates.roomy());
		this.permits = Stream.of(this.names).map((key) -> List.of(new PermitRequest(policyLimit, key, 1, 0))).toList();
	}

	/**
	 * A map of numbers.
	 * @param turn whose key is charged
	 * @return whether it is allowed
	 */
	@Benchmark
	public boolean floor(Turn turn) {
		String key = this.names[turn.next(this.keys)];
		AtomicLong count = this.floor.get(key);
		return Floor.admits((count != null) ? count : this.floor.computeIfAbsent(key, (name) -> new AtomicLong()));
	}

	/**
	 * The memory store.
	 * @param turn whose key is charged
	 * @return the decision
	 */
	@Benchmark
	public Decision store(Turn turn) {
		return this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, this.permits.get(turn.next(this.keys))));
	}

	/**
	 * The limiter on a memory store, as applications use it.
	 * @param turn whose key is charged
	 * @return the decision
	 */
	@Benchmark
	public Decision limiter(Turn turn) {
		return this.limiter.acquire(Charge.of(Rates.POLICY, this.names[turn.next(this.keys)]));
	}

	/**
	 * Bucket4j's local buckets in a Caffeine cache.
	 * @param turn whose key is charged
	 * @return whether it is allowed
	 */
	@Benchmark
	public boolean bucket4j(Turn turn) {
		return this.buckets.get(this.names[turn.next(this.keys)], MemoryStoreBenchmark::bucket).tryConsume(1);
	}

	/**
	 * Resilience4j's limiters, one for each key, in a map.
	 * @param turn whose key is charged
	 * @return whether it is allowed
	 */
	@Benchmark
	public boolean resilience4j(Turn turn) {
		String key = this.names[turn.next(this.keys)];
		RateLimiter limiter = this.limiters.get(key);
		return ((limiter != null) ? limiter
				: this.limiters.computeIfAbsent(key, (name) -> new AtomicRateLimiter(name, this.limiterConfig)))
			.acquirePermission();
	}

	private static Bucket bucket(String key) {
		return Bucket.builder()
			.addLimit((limit) -> limit.capacity(Rates.BURST).refillGreedy(Rates.PERMITS, Duration.ofHours(1)))
			.build();
	}

	/** Whose turn it is, for each thread. */
	@State(Scope.Thread)
	public static class Turn {

		private int turn;

		int next(int keys) {
			this.turn = (this.turn + 1 < keys) ? this.turn + 1 : 0;
			return this.turn;
		}

	}

}
