package io.github.ratelimit.spring.top;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

import io.github.ratelimit.spring.top.TopList.Entry;

/**
 * A sketch of the keys with the highest counts in a stream, in fixed space: Space-Saving
 * (Metwally, Agrawal, El Abbadi 2005). With <em>m</em> counters, each count is too high
 * by at most the total divided by <em>m</em>, and each key whose true count is above that
 * has a counter. For one thread at a time.
 */
final class SpaceSaving {

	private final Map<String, Counter> byKey;

	/** The counters as a heap, the lowest first. */
	private final Counter[] heap;

	private int size;

	private long total;

	/**
	 * Creates an empty sketch.
	 * @param counters the number of counters, at least one
	 */
	SpaceSaving(int counters) {
		this.byKey = new HashMap<>();
		this.heap = new Counter[counters];
	}

	/**
	 * Adds to the count of a key, which takes over the lowest counter if none is free.
	 */
	void add(String key, long count) {
		this.total += count;
		Counter counter = this.byKey.get(key);
		if (counter == null) {
			counter = (this.size < this.heap.length) ? create(key) : takeOver(key);
		}
		counter.count += count;
		sift(counter);
	}

	/** Returns the keys with the highest counts. */
	TopList top(int most) {
		Entry[] entries = Arrays.stream(this.heap, 0, this.size)
			.sorted(Comparator.comparingLong((Counter counter) -> counter.count).reversed())
			.map((counter) -> new Entry(counter.key, counter.count - counter.error, counter.count))
			.toArray(Entry[]::new);
		long rest = (entries.length > most) ? entries[most].atMost()
				: (this.size == this.heap.length) ? this.heap[0].count : 0;
		return new TopList(this.total, rest, Arrays.stream(entries).limit(most).toList());
	}

	private Counter create(String key) {
		Counter counter = new Counter(key, this.size);
		this.heap[this.size] = counter;
		this.byKey.put(key, counter);
		for (int at = this.size++; at > 0; at = (at - 1) / 2) {
			swap(at, (at - 1) / 2);
		}
		return counter;
	}

	private Counter takeOver(String key) {
		Counter lowest = this.heap[0];
		this.byKey.remove(lowest.key);
		this.byKey.put(key, lowest);
		lowest.key = key;
		lowest.error = lowest.count;
		return lowest;
	}

	/** Moves a counter that has grown away from the start of the heap. */
	private void sift(Counter counter) {
		int child = 2 * counter.index + 1;
		while (child < this.size) {
			if (child + 1 < this.size && this.heap[child + 1].count < this.heap[child].count) {
				child++;
			}
			if (this.heap[child].count >= counter.count) {
				return;
			}
			swap(counter.index, child);
			child = 2 * child + 1;
		}
	}

	private void swap(int one, int other) {
		Counter moved = this.heap[one];
		this.heap[one] = this.heap[other];
		this.heap[other] = moved;
		this.heap[one].index = one;
		this.heap[other].index = other;
	}

	private static final class Counter {

		private String key;

		private long count;

		private long error;

		private int index;

		private Counter(String key, int index) {
			this.key = key;
			this.index = index;
		}

	}

}
