package io.github.ratelimit.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;

/**
 * An instance in a JVM of its own. Its threads spend all permits of a few keys, ten of
 * each algorithm, and it records when they were admitted and denied.
 */
final class HotKeys {

	/** The time that the limits of a changing instance stay the same. */
	static final Duration UNCHANGED = Duration.ofSeconds(2);

	private static final int THREADS = 16;

	private static final int PREFETCH = 5;

	private static final long PAUSE_NANOS = Duration.ofMillis(2).toNanos();

	/** Limits that admit several calls at once, if their algorithm can. */
	private static final List<Limit> LIMITS = Algorithm.rates()
		.map((algorithm) -> Limit.of(algorithm, Rate.parse("50/1s")))
		.map((limit) -> (limit.burst() > 1) ? limit : AnyLimit.withBurst(limit, 10))
		.toList();

	static final int KEYS = 10 * LIMITS.size();

	private final Queue<String> decisions = new ConcurrentLinkedQueue<>();

	private final AtomicLong calls = new AtomicLong();

	private final AtomicLong failures = new AtomicLong();

	private final RedisRateLimitStore store;

	private final LoadStyle style;

	private HotKeys(RedisRateLimitStore store, LoadStyle style) {
		this.store = store;
		this.style = style;
	}

	/** Returns the limit of a key. All limits have the same number of keys. */
	static Limit limit(int key) {
		return LIMITS.get(key % LIMITS.size());
	}

	/**
	 * Reports that it is ready, waits for a line, calls for a while, and writes a
	 * {@link Spent}.
	 * @param arguments the port of Redis, the time to call in milliseconds, the style and
	 * the file to write
	 * @throws Exception never
	 */
	public static void main(String[] arguments) throws Exception {
		try (RedisRateLimitStore store = Stores.patient(Integer.parseInt(arguments[0]))) {
			store.connect();
			HotKeys keys = new HotKeys(store, LoadStyle.valueOf(arguments[2]));
			keys.callFor(Duration.ofSeconds(1), (key) -> FaultPermits.one("warm-" + key));
			keys.decisions.clear();
			keys.calls.set(0);
			Jvm.awaitGo();
			long begin = System.nanoTime();
			keys.callFor(Duration.ofMillis(Long.parseLong(arguments[1])), (key) -> keys.permits(key, begin));
			Files.write(Path.of(arguments[3]), keys.lines());
		}
	}

	/** Returns half the rate, with the same burst if the algorithm has one. */
	private static Limit half(Limit limit) {
		return AnyLimit.withBurst(limit.share(50), limit.burst());
	}

	private List<PermitRequest> permits(int key, long begin) {
		Limit limit = limit(key);
		boolean half = this.style.isHalf((System.nanoTime() - begin) / UNCHANGED.toNanos());
		long prefetch = (this.style == LoadStyle.PREFETCHED) ? PREFETCH : 0;
		return List.of(new PermitRequest(
				new PolicyLimit("hot", "hot", 0, half ? half(limit) : limit, 0, prefetch, false, false), "key-" + key,
				1, 0));
	}

	private void callFor(Duration time, Calls calls) {
		long end = System.nanoTime() + time.toNanos();
		List<Thread> threads = Stream.generate(() -> new Thread(() -> callUntil(end, calls))).limit(THREADS).toList();
		threads.forEach(Thread::start);
		threads.forEach(Timing::join);
	}

	private void callUntil(long end, Calls calls) {
		while (System.nanoTime() - end < 0) {
			int key = ThreadLocalRandom.current().nextInt(KEYS);
			call(key, calls.of(key));
			LockSupport.parkNanos(PAUSE_NANOS);
		}
	}

	private void call(int key, List<PermitRequest> permits) {
		this.calls.incrementAndGet();
		try {
			Decision decision = this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits));
			this.decisions.add(key + " " + decision.storeTimeMicros() + (decision.allowed() ? " 1" : " 0"));
		}
		catch (RateLimitStoreException ex) {
			this.failures.incrementAndGet();
		}
	}

	private List<String> lines() {
		return Stream.concat(Stream.of(this.calls + " " + this.failures), this.decisions.stream()).toList();
	}

	private interface Calls {

		List<PermitRequest> of(int key);

	}

	/**
	 * The styles of calls: plain, with prefetched permits, or with half the rate in
	 * alternate spans.
	 */
	enum LoadStyle {

		PLAIN, PREFETCHED, HALF_FIRST, HALF_SECOND;

		private boolean isHalf(long time) {
			return (this == HALF_FIRST && time % 2 == 0) || (this == HALF_SECOND && time % 2 == 1);
		}

	}

	/**
	 * The results of one or several instances.
	 *
	 * @param calls the number of calls
	 * @param failures the number of calls that failed
	 * @param keys the admissions and denials of each key
	 */
	record Spent(long calls, long failures, List<Admissions> keys) {

		static Spent of(List<List<String>> instances) {
			List<long[]> heads = instances.stream().map((lines) -> numbers(lines.get(0))).toList();
			Map<Long, List<long[]>> decisions = instances.stream()
				.flatMap((lines) -> lines.stream().skip(1))
				.map(Spent::numbers)
				.collect(Collectors.groupingBy((decision) -> decision[0]));
			return new Spent(heads.stream().mapToLong((head) -> head[0]).sum(),
					heads.stream().mapToLong((head) -> head[1]).sum(),
					IntStream.range(0, KEYS)
						.mapToObj((key) -> of(limit(key), decisions.getOrDefault((long) key, List.of())))
						.toList());
		}

		/** Returns both results, one after the other. */
		Spent and(Spent other) {
			return new Spent(this.calls + other.calls, this.failures + other.failures,
					Stream.concat(this.keys.stream(), other.keys.stream()).toList());
		}

		private static Admissions of(Limit limit, List<long[]> decisions) {
			return Admissions.of(limit, times(decisions, 1), times(decisions, 0));
		}

		private static LongStream times(List<long[]> decisions, int allowed) {
			return decisions.stream().filter((one) -> one[2] == allowed).mapToLong((one) -> one[1]);
		}

		private static long[] numbers(String line) {
			return Stream.of(line.split(" ")).mapToLong(Long::parseLong).toArray();
		}

	}

}
