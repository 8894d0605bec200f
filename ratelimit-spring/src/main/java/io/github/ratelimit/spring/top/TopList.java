package io.github.ratelimit.spring.top;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The keys with the highest counts, the highest first. Immutable.
 *
 * @param total the sum of the counts of all keys
 * @param rest the most that the count of any other key can be
 * @param entries the keys
 */
public record TopList(long total, long rest, List<Entry> entries) {

	/** The list of no keys. */
	static final TopList EMPTY = new TopList(0, 0, List.of());

	/**
	 * Copies the entries.
	 * @param total the sum of the counts of all keys
	 * @param rest the most that the count of any other key can be
	 * @param entries the keys
	 */
	public TopList {
		entries = List.copyOf(entries);
	}

	/** Returns the keys with the highest sums over several lists. */
	static TopList merge(Collection<TopList> lists, int most) {
		Set<String> keys = lists.stream()
			.flatMap((list) -> list.entries().stream())
			.map(Entry::key)
			.collect(Collectors.toSet());
		Map<String, Entry> sums = new HashMap<>();
		for (TopList list : lists) {
			Map<String, Entry> byKey = list.entries()
				.stream()
				.collect(Collectors.toMap(Entry::key, (entry) -> entry, Entry::plus));
			keys.forEach(
					(key) -> sums.merge(key, byKey.getOrDefault(key, new Entry(key, 0, list.rest())), Entry::plus));
		}
		List<Entry> sorted = sums.values()
			.stream()
			.sorted(Comparator.comparingLong(Entry::atMost).thenComparingLong(Entry::atLeast).reversed())
			.toList();
		long rest = lists.stream().mapToLong(TopList::rest).sum();
		return new TopList(lists.stream().mapToLong(TopList::total).sum(),
				(sorted.size() > most) ? Math.max(rest, sorted.get(most).atMost()) : rest,
				sorted.stream().limit(most).toList());
	}

	/** Returns this list with other names of the keys. */
	TopList named(UnaryOperator<String> name) {
		return new TopList(this.total, this.rest,
				this.entries.stream()
					.map((entry) -> new Entry(name.apply(entry.key()), entry.atLeast(), entry.atMost()))
					.toList());
	}

	/**
	 * A key and the bounds of its count.
	 *
	 * @param key the key or its digest
	 * @param atLeast the lower bound
	 * @param atMost the upper bound
	 */
	public record Entry(String key, long atLeast, long atMost) {

		private Entry plus(Entry other) {
			return new Entry(this.key, this.atLeast + other.atLeast, this.atMost + other.atMost);
		}

	}

}
