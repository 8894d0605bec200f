package io.github.ratelimit.faults;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The threads and the used heap of this JVM.
 *
 * @param threads the numbers of threads by their names without numbers
 * @param heap the used heap in bytes, after garbage collection
 */
record Footprint(Map<String, Long> threads, long heap) {

	static Footprint now() {
		System.gc();
		return new Footprint(
				Thread.getAllStackTraces()
					.keySet()
					.stream()
					.collect(Collectors.groupingBy((thread) -> thread.getName().replaceAll("[0-9@.:]+", "#"),
							TreeMap::new, Collectors.counting())),
				ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
	}

	long threadCount() {
		return this.threads.values().stream().mapToLong(Long::longValue).sum();
	}

	@Override
	public String toString() {
		return threadCount() + " threads and " + this.heap / 1_000_000 + " MB";
	}

}
