package io.github.ratelimit.spring.consumption;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.ratelimit.key.KeyDigest;
import org.jspecify.annotations.Nullable;

/**
 * The sums of one interval by policy and key. Keys beyond the most have one sum for each
 * policy. For one thread at a time.
 */
final class IntervalTotals {

	/** Keys that are longer count under their digest, which bounds the memory. */
	private static final int LONGEST = 256;

	private final long from;

	private final Duration length;

	private final int maxKeys;

	private final Map<String, Map<String, Total>> byPolicy = new HashMap<>();

	/** The sums of keys beyond the most, by policy. */
	private final Map<String, Total> others = new HashMap<>();

	private int keys;

	/**
	 * Creates empty sums.
	 * @param from the start of the interval, in milliseconds since 1970
	 * @param length the length of the interval
	 * @param maxKeys the most keys that have sums of their own
	 */
	IntervalTotals(long from, Duration length, int maxKeys) {
		this.from = from;
		this.length = length;
		this.maxKeys = maxKeys;
	}

	/** Returns the start of the interval, in milliseconds since 1970. */
	long from() {
		return this.from;
	}

	/** Returns the number of sums, each of which is a record. */
	int size() {
		return this.keys + this.others.size();
	}

	/** Adds permits, which may be negative, and calls. */
	void add(String policy, String key, long permits, int calls) {
		Total total = total(policy, (key.length() <= LONGEST) ? key : KeyDigest.inPlaceOf(key));
		total.permits += permits;
		total.calls += calls;
	}

	private Total total(String policy, String key) {
		Map<String, Total> ofPolicy = this.byPolicy.computeIfAbsent(policy, (unknown) -> new HashMap<>());
		Total known = ofPolicy.get(key);
		if (known != null) {
			return known;
		}
		if (this.keys == this.maxKeys) {
			return this.others.computeIfAbsent(policy, (unknown) -> new Total());
		}
		this.keys++;
		Total added = new Total();
		ofPolicy.put(key, added);
		return added;
	}

	/**
	 * Returns the records of all sums.
	 * @param ids supplies an identifier for each
	 * @param name returns what is shown in place of a key
	 */
	List<ConsumptionRecord> records(Supplier<String> ids, UnaryOperator<String> name) {
		List<ConsumptionRecord> records = new ArrayList<>();
		this.byPolicy.forEach((policy, totals) -> totals
			.forEach((key, total) -> records.add(record(ids, policy, name.apply(key), total))));
		this.others.forEach((policy, total) -> records.add(record(ids, policy, null, total)));
		return records;
	}

	private ConsumptionRecord record(Supplier<String> ids, String policy, @Nullable String key, Total total) {
		Instant start = Instant.ofEpochMilli(this.from);
		return new ConsumptionRecord(ids.get(), start, start.plus(this.length), policy, key, total.permits,
				total.calls);
	}

	private static final class Total {

		private long permits;

		private long calls;

	}

}
