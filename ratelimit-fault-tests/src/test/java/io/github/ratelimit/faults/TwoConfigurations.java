package io.github.ratelimit.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;

/**
 * An instance in a JVM of its own that alternates between two configurations every
 * second, and records when it was admitted by which key.
 */
final class TwoConfigurations {

	/** The two configurations of each key, which differ in one respect. */
	static final List<List<List<Limit>>> KEYS = Stream
		.of("10/1s burst 10 | 10/1s burst 100", "50/1s burst 10 | 100/1s burst 10",
				"50/1s | 50/1s leaky-bucket burst 5", "50/1s burst 100 | 50/1s fixed-window",
				"50/1s | 50/1s sliding-window-log", "50/1s fixed-window | 50/1s sliding-window-counter",
				"50/1s sliding-window-log | 80/1s sliding-window-log", "50/1s; 200/10s | 50/1s",
				"50/1s; 200/10s | 200/10s; 50/1s")
		.map((both) -> Stream.of(both.split("\\|")).map(TwoConfigurations::limits).toList())
		.toList();

	private static final int THREADS = 4;

	private static final long PAUSE_NANOS = Duration.ofMillis(1).toNanos();

	private final Queue<String> admissions = new ConcurrentLinkedQueue<>();

	private final RedisRateLimitStore store;

	private final int first;

	private TwoConfigurations(RedisRateLimitStore store, int first) {
		this.store = store;
		this.first = first;
	}

	/**
	 * Reports that it is ready, waits for a line, calls for a while, and writes a line
	 * with the key and the time of each admission.
	 * @param arguments the port of Redis, the time to call in milliseconds, the index of
	 * the first configuration and the file to write
	 * @throws Exception never
	 */
	public static void main(String[] arguments) throws Exception {
		try (RedisRateLimitStore store = Stores.patient(Integer.parseInt(arguments[0]))) {
			store.connect();
			TwoConfigurations instance = new TwoConfigurations(store, Integer.parseInt(arguments[2]));
			Jvm.awaitGo();
			instance.callFor(Duration.ofMillis(Long.parseLong(arguments[1])));
			Files.write(Path.of(arguments[3]), instance.admissions);
		}
	}

	private void callFor(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		List<Thread> threads = Stream.generate(() -> new Thread(() -> callUntil(end))).limit(THREADS).toList();
		threads.forEach(Thread::start);
		threads.forEach(Timing::join);
	}

	private void callUntil(long end) {
		while (System.nanoTime() - end < 0) {
			int key = ThreadLocalRandom.current().nextInt(KEYS.size());
			long second = (end - System.nanoTime()) / Duration.ofSeconds(1).toNanos();
			List<Limit> limits = KEYS.get(key).get((int) ((this.first + second) % 2));
			Decision decision = this.store
				.execute(new StoreRequest(StoreOperation.ACQUIRE, PermitRequests.of("two", limits, "key-" + key, 1)));
			if (decision.allowed()) {
				this.admissions.add(key + " " + decision.storeTimeMicros());
			}
			LockSupport.parkNanos(PAUSE_NANOS);
		}
	}

	private static List<Limit> limits(String texts) {
		return Stream.of(texts.split(";")).map((text) -> Limit.parse(text.strip(), Algorithm.TOKEN_BUCKET)).toList();
	}

}
