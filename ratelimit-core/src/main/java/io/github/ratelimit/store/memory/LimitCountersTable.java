package io.github.ratelimit.store.memory;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.ratelimit.store.PolicyLimit;
import org.jspecify.annotations.Nullable;

/**
 * The counters of every limit: as few as policies have limits, and never dropped. A small
 * copy-on-write hash table, as this lookup is part of every decision and a map would take
 * longer than the arithmetic. Thread-safe.
 */
final class LimitCountersTable {

	/** The length up to which a scan is no slower than hashing. */
	private static final int SHORT = 16;

	/** The multiplier that spreads numbers close to one another. */
	private static final int SPREAD = 0x9E3779B9;

	/**
	 * The table, less than half full. Each entry is at its index or in the row that
	 * begins there.
	 */
	private volatile @Nullable LimitCounters[] table = new LimitCounters[1];

	LimitCounters of(PolicyLimit policyLimit) {
		@Nullable LimitCounters[] table = this.table;
		LimitCounters known = table[index(policyLimit, table)];
		return (known != null) ? known : add(policyLimit);
	}

	private synchronized LimitCounters add(PolicyLimit policyLimit) {
		LimitCounters known = this.table[index(policyLimit, this.table)];
		return (known != null) ? known : add(new LimitCounters(policyLimit));
	}

	/** Adds an entry to a new table, so that readers need no lock. */
	private LimitCounters add(LimitCounters added) {
		List<LimitCounters> all = Stream.concat(Stream.of(this.table).filter(Objects::nonNull), Stream.of(added))
			.toList();
		@Nullable LimitCounters[] roomy = new LimitCounters[4 * Integer.highestOneBit(all.size())];
		for (LimitCounters counts : all) {
			roomy[index(counts.name(), counts.periodMicros(), counts.position(), roomy)] = counts;
		}
		this.table = roomy;
		return added;
	}

	private static int index(PolicyLimit policyLimit, @Nullable LimitCounters[] table) {
		return index(policyLimit.counter(), policyLimit.limit().periodMicros(), policyLimit.position(), table);
	}

	private static int index(String name, long periodMicros, int position, @Nullable LimitCounters[] table) {
		int last = table.length - 1;
		int index = (table.length <= SHORT) ? 0
				: (((name.hashCode() + (int) periodMicros + position) * SPREAD) >>> 16) & last;
		LimitCounters counts = table[index];
		while (counts != null && !counts.areOf(name, periodMicros, position)) {
			index = (index + 1) & last;
			counts = table[index];
		}
		return index;
	}

	/**
	 * The counters of one limit of a policy. Keys are comparable, so lookups stay fast
	 * even if callers provoke hash collisions.
	 *
	 * @param name the name under which the policy's counts are kept
	 * @param periodMicros the period of the limit
	 * @param position the limit's position among those with its period
	 * @param counters the counters by key
	 * @param sharedCounters the shared counters by number
	 */
	record LimitCounters(String name, long periodMicros, int position, ConcurrentHashMap<String, Counter> counters,
			ConcurrentHashMap<String, Counter> sharedCounters) {

		LimitCounters(PolicyLimit policyLimit) {
			this(policyLimit.counter(), policyLimit.limit().periodMicros(), policyLimit.position(),
					new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
		}

		boolean areOf(String name, long periodMicros, int position) {
			return this.periodMicros == periodMicros && this.position == position && this.name.equals(name);
		}

	}

}
