package io.github.ratelimit.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

/**
 * A flood of callers who fill sliding window logs on a memory store with the default
 * number of counts, in a JVM of its own.
 */
final class LogFlood {

	static final long PERMITS = 10_000;

	private static final int MAX_KEYS = 100_000;

	private static final int THREADS = 2;

	private static final List<Limit> LIMIT = List.of(Limit.parse(PERMITS + "/1d", Algorithm.SLIDING_WINDOW_LOG));

	/** A clock that moves on at each request, so that no two charges are one entry. */
	private final AtomicLong clock = new AtomicLong();

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(MAX_KEYS, this.clock::incrementAndGet);

	private final AtomicInteger next = new AtomicInteger();

	private final AtomicLong admitted = new AtomicLong();

	private final int keys;

	private LogFlood(int keys) {
		this.keys = keys;
	}

	/**
	 * Floods the store and writes the number of charges.
	 * @param arguments the number of keys, each of which uses up its limit, and the file
	 * to write
	 * @throws Exception never
	 */
	public static void main(String[] arguments) throws Exception {
		LogFlood flood = new LogFlood(Integer.parseInt(arguments[0]));
		List<Thread> threads = Stream.generate(() -> new Thread(flood::run)).limit(THREADS).toList();
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		Files.writeString(Path.of(arguments[1]), Long.toString(flood.admitted.get()));
	}

	private void run() {
		for (int key = this.next.getAndIncrement(); key < this.keys; key = this.next.getAndIncrement()) {
			List<PermitRequest> permits = PermitRequests.of("flooded", LIMIT, "key-" + key, 1);
			for (long call = 0; call < PERMITS; call++) {
				this.admitted
					.addAndGet(this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)).allowed() ? 1 : 0);
			}
		}
	}

}
