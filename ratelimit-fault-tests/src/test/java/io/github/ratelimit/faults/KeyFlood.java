package io.github.ratelimit.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

/**
 * A flood of keys on a memory store with the default number of counts, in a JVM of its
 * own. Some heavy callers have used up their limit before and go on, others start during
 * the flood; newcomers call three times, rarely.
 */
final class KeyFlood {

	static final long BURST = 10;

	private static final int MAX_KEYS = 100_000;

	private static final int THREADS = 4;

	private static final int HEAVY = 100;

	/** The number of keys of the flood between two newcomers. */
	private static final int BETWEEN_NEWCOMERS = 100;

	/** The number of keys of the flood between two calls of a newcomer. */
	private static final int BETWEEN_CALLS = 1000 * BETWEEN_NEWCOMERS;

	private static final List<Limit> LIMIT = List.of(Limit.parse(BURST + "/1h", Algorithm.TOKEN_BUCKET));

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(MAX_KEYS);

	private final AtomicInteger next = new AtomicInteger();

	private final AtomicLong[] heavy = Stream.generate(AtomicLong::new).limit(HEAVY).toArray(AtomicLong[]::new);

	private final AtomicInteger newcomerCalls = new AtomicInteger();

	private final AtomicInteger newcomerDenials = new AtomicInteger();

	private final long[] nanos;

	private final int callsPerKey;

	private KeyFlood(int keys, int callsPerKey) {
		this.nanos = new long[keys];
		this.callsPerKey = callsPerKey;
	}

	/**
	 * Floods the store and writes a {@link Result}.
	 * @param arguments the number of keys, the calls of each and the file to write
	 * @throws Exception never
	 */
	public static void main(String[] arguments) throws Exception {
		KeyFlood flood = new KeyFlood(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
		long before = heap();
		IntStream.range(0, HEAVY / 2).forEach((key) -> flood.spend(key, (int) BURST));
		List<Thread> threads = Stream.generate(() -> new Thread(flood::run)).limit(THREADS).toList();
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		Files.writeString(Path.of(arguments[2]), flood.result(heap() - before).line());
	}

	private void run() {
		for (int number = this.next.getAndIncrement(); number < this.nanos.length; number = this.next
			.getAndIncrement()) {
			long begin = System.nanoTime();
			tryAcquire("flood-" + number);
			this.nanos[number] = System.nanoTime() - begin;
			for (int call = 1; call < this.callsPerKey; call++) {
				tryAcquire("flood-" + number);
			}
			if (number % BETWEEN_NEWCOMERS == 0) {
				callNewcomers(number);
			}
			if (number % 1000 == 0) {
				spend(number / 1000 % HEAVY, 2);
			}
		}
	}

	/**
	 * Makes the first call of one newcomer, the second of another and the third of one
	 * more.
	 */
	private void callNewcomers(int number) {
		for (int first = number; first >= 0 && first > number - 3 * BETWEEN_CALLS; first -= BETWEEN_CALLS) {
			this.newcomerCalls.incrementAndGet();
			this.newcomerDenials.addAndGet(tryAcquire("newcomer-" + first) ? 0 : 1);
		}
	}

	private void spend(int key, int calls) {
		for (int call = 0; call < calls; call++) {
			this.heavy[key].addAndGet(tryAcquire("heavy-" + key) ? 1 : 0);
		}
	}

	private boolean tryAcquire(String key) {
		List<PermitRequest> permits = PermitRequests.of("flooded", LIMIT, key, 1);
		return this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)).allowed();
	}

	private Result result(long grown) {
		Arrays.sort(this.nanos);
		long most = Stream.of(this.heavy).mapToLong(AtomicLong::get).max().orElseThrow();
		return new Result(grown, this.store.size(), most, this.newcomerCalls.get(), this.newcomerDenials.get(),
				this.nanos[(int) (this.nanos.length * 99L / 100)]);
	}

	private static long heap() {
		Runtime runtime = Runtime.getRuntime();
		for (int time = 0; time < 3; time++) {
			System.gc();
		}
		return runtime.totalMemory() - runtime.freeMemory();
	}

	/**
	 * The result of a flood.
	 *
	 * @param grown the bytes that the heap grew by, after a collection
	 * @param counts the number of counts at the end
	 * @param mostAdmitted the most admitted calls of a heavy caller
	 * @param newcomerCalls the calls of newcomers
	 * @param newcomerDenials the denials among these, all of them wrong
	 * @param p99 the 99th percentile of the first calls of keys of the flood, in
	 * nanoseconds
	 */
	record Result(long grown, long counts, long mostAdmitted, long newcomerCalls, long newcomerDenials, long p99) {

		static Result of(String line) {
			long[] n = Stream.of(line.trim().split(" ")).mapToLong(Long::parseLong).toArray();
			return new Result(n[0], n[1], n[2], n[3], n[4], n[5]);
		}

		String line() {
			return this.grown + " " + this.counts + " " + this.mostAdmitted + " " + this.newcomerCalls + " "
					+ this.newcomerDenials + " " + this.p99;
		}

	}

}
