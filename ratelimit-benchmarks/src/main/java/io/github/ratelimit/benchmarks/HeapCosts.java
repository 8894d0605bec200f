package io.github.ratelimit.benchmarks;

import java.io.PrintStream;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

/**
 * Measures the heap that a count of the memory store takes with its key, by algorithm and
 * by how often the key was charged, and prints it:
 *
 * <pre>
 * mvn -Pbenchmarks -pl ratelimit-benchmarks -am -DskipTests package exec:java \
 *   -Dexec.mainClass=io.github.ratelimit.benchmarks.HeapCosts
 * </pre>
 */
public final class HeapCosts {

	private static final PrintStream OUT = System.out;

	private static final int KEYS = 100_000;

	private static final List<String> LIMITS = List.of("1000/1h", "1000/1h leaky-bucket burst 1000",
			"1000/1h fixed-window", "1000/1h sliding-window-counter", "1000/1h sliding-window-log",
			"1000 concurrent lease 1h");

	private HeapCosts() {
	}

	/**
	 * Measures and prints.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		bytesPerKey(LIMITS.get(0), 1); // loads classes, which would count
		for (String limit : LIMITS) {
			Stream.of(1, 100)
				.forEach((charges) -> OUT.printf("%-32s %4d charges %8.0f bytes a key%n", limit, charges,
						bytesPerKey(limit, charges)));
		}
	}

	private static double bytesPerKey(String limit, int charges) {
		PolicyLimit policyLimit = new PolicyLimit("benchmark", "benchmark", 0,
				Limit.parse(limit, Algorithm.TOKEN_BUCKET), 0);
		MemoryRateLimitStore store = new MemoryRateLimitStore(2 * KEYS);
		long before = usedHeap();
		for (int charge = 0; charge < charges; charge++) {
			for (int key = 0; key < KEYS; key++) {
				PermitRequest permit = new PermitRequest(policyLimit, "client-ip:192.0.2." + key, 1, 0);
				store.execute(new StoreRequest(StoreOperation.ACQUIRE, List.of(permit)));
			}
		}
		long after = usedHeap();
		if (store.size() != KEYS) {
			throw new IllegalStateException("the store has " + store.size() + " counts");
		}
		return (after - before) / (double) KEYS;
	}

	private static long usedHeap() {
		System.gc();
		return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
	}

}
