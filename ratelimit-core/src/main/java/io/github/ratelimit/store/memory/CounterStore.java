package io.github.ratelimit.store.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import io.github.ratelimit.store.PolicyLimit;
import org.jspecify.annotations.Nullable;

/**
 * A bounded collection of counters. Each new counter checks a few old ones in turn and
 * drops those that have expired a second ago, or just now if there is no room, so no scan
 * is necessary. If there is still no room, the one of these few that spent least is
 * evicted, if it spent less than half of its burst: little is forgotten. Otherwise
 * further keys of a limit share {@value #SHARED} counters: nearly used up counts are
 * kept, and every key still has a counter.
 */
final class CounterStore {

	private static final int SHARED = 1024;

	private static final int CHECKS = 8;

	private static final double LITTLE = 0.5;

	/** How long an expired counter is kept if there is room. */
	private static final long KEPT = TimeUnit.SECONDS.toMicros(1);

	private final LimitCountersTable counts = new LimitCountersTable();

	private final ReentrantLock making = new ReentrantLock();

	private final int max;

	private final StateMemory memory;

	private final LongSupplier clock;

	/** The queue of all counters, the next to check first; guarded by the lock. */
	private final Deque<Counter> queue = new ArrayDeque<>();

	private long orders;

	private final AtomicLong dropped = new AtomicLong();

	private final AtomicLong shared = new AtomicLong();

	CounterStore(int max, long maxLogBytes, LongSupplier clock) {
		this.max = max;
		this.memory = new StateMemory(maxLogBytes, max);
		this.clock = clock;
	}

	int size() {
		this.making.lock();
		try {
			return this.queue.size();
		}
		finally {
			this.making.unlock();
		}
	}

	/** Returns the number of evicted counters that had permits spent. */
	long dropped() {
		return this.dropped.get();
	}

	/** Returns the number of times a shared counter was used. */
	long shared() {
		return this.shared.get();
	}

	/** Returns the memory of grown states. */
	StateMemory memory() {
		return this.memory;
	}

	Counter get(PolicyLimit policyLimit, String key) {
		LimitCounters counts = this.counts.of(policyLimit);
		String shortKey = ShortKey.of(key);
		Counter known = counts.counters().get(shortKey);
		return (known != null) ? known : create(counts, shortKey, this.clock.getAsLong());
	}

	/**
	 * Returns the counter that a call would get, or an empty one that none gets: a look
	 * takes no room, which might be that of another key.
	 */
	Counter find(PolicyLimit policyLimit, String key) {
		LimitCounters counts = this.counts.of(policyLimit);
		String shortKey = ShortKey.of(key);
		Counter known = counts.counters().get(shortKey);
		Counter found = (known != null || size() < this.max) ? known : counts.sharedCounters().get(slot(shortKey));
		return (found != null) ? found
				: new Counter(counts.counters(), this.memory, shortKey, Long.MAX_VALUE, this.clock.getAsLong());
	}

	private Counter create(LimitCounters counts, String key, long now) {
		this.making.lock();
		try {
			Counter made = counts.counters().get(key);
			return (made != null) ? made
					: tryMakeRoom(now) ? add(counts.counters(), key, now) : share(counts, key, now);
		}
		finally {
			this.making.unlock();
		}
	}

	private Counter add(Map<String, Counter> home, String key, long now) {
		Counter counter = new Counter(home, this.memory, key, this.orders++, now);
		home.put(key, counter);
		this.queue.addLast(counter);
		return counter;
	}

	private Counter share(LimitCounters counts, String key, long now) {
		this.shared.incrementAndGet();
		String slot = slot(key);
		Counter counter = counts.sharedCounters().get(slot);
		return (counter != null) ? counter : add(counts.sharedCounters(), slot, now);
	}

	private static String slot(String key) {
		int hash = key.hashCode();
		return Integer.toString((hash ^ (hash >>> 16)) & (SHARED - 1));
	}

	/**
	 * Keeps expired counters for a while if there is room, as the same keys are likely to
	 * call again.
	 */
	private boolean tryMakeRoom(long now) {
		Counter least = leastSpentOfNext(now, (this.queue.size() < this.max) ? KEPT : 0);
		if (this.queue.size() < this.max) {
			return true;
		}
		if (least != null && least.tryRetireBelow(LITTLE)) {
			this.queue.removeLastOccurrence(least);
			least.leave();
			this.dropped.incrementAndGet();
			return true;
		}
		return false;
	}

	/**
	 * Drops the expired ones of the next counters, and returns the one that spent least.
	 */
	private @Nullable Counter leastSpentOfNext(long now, long kept) {
		Counter least = null;
		for (int checks = Math.min(CHECKS, this.queue.size()); checks > 0; checks--) {
			Counter counter = this.queue.removeFirst();
			if (counter.tryRetire(now, kept)) {
				counter.leave();
			}
			else {
				this.queue.addLast(counter);
				least = (least == null || counter.spentPart() < least.spentPart()) ? counter : least;
			}
		}
		return least;
	}

	/**
	 * The counters of every limit: as few as policies have limits, and never dropped. A
	 * small copy-on-write hash table, as this lookup is part of every decision and a map
	 * would take longer than the arithmetic. Thread-safe.
	 */
	static final class LimitCountersTable {

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
