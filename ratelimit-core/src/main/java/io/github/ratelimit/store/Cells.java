package io.github.ratelimit.store;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The cells of the memory store, bounded. Each new cell pays for looking at a few old
 * ones in turn, so that those whose state has run out are dropped without any scan. When
 * no room is left, the one of these few that spent least makes room, if it spent less
 * than half of its burst: little is forgotten. Where all have spent more, further keys of
 * a limit share {@value #SHARED} cells: what is nearly used up is not forgotten, and
 * nobody is locked out.
 */
final class Cells {

	private static final int SHARED = 1024;

	private static final int LOOKS = 8;

	private static final double LITTLE = 0.5;

	private final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();

	private final ReentrantLock making = new ReentrantLock();

	private final int max;

	private final LongSupplier clock;

	/** All cells, those first that are to be looked at next; guarded by the lock. */
	private final Deque<Cell> turn = new ArrayDeque<>();

	private long orders;

	private final AtomicLong dropped = new AtomicLong();

	private final AtomicLong shared = new AtomicLong();

	Cells(int max, LongSupplier clock) {
		this.max = max;
		this.clock = clock;
	}

	int size() {
		this.making.lock();
		try {
			return this.turn.size();
		}
		finally {
			this.making.unlock();
		}
	}

	/** How many cells made room although something was spent of them. */
	long dropped() {
		return this.dropped.get();
	}

	/** How many times a shared cell was answered. */
	long shared() {
		return this.shared.get();
	}

	Cell get(Clause clause, String key) {
		String shortKey = ShortKey.of(key);
		Counts counts = counts(clause);
		Cell cell = counts.cells.get(shortKey);
		return (cell != null) ? cell : create(counts, shortKey, this.clock.getAsLong());
	}

	private Counts counts(Clause clause) {
		Bucket bucket = this.buckets.get(clause.bucket());
		return ((bucket != null) ? bucket : this.buckets.computeIfAbsent(clause.bucket(), (unknown) -> new Bucket()))
			.counts(clause.position());
	}

	private Cell create(Counts counts, String key, long now) {
		this.making.lock();
		try {
			Cell made = counts.cells.get(key);
			return (made != null) ? made : hasRoom(now) ? add(counts.cells, key, now) : share(counts, key, now);
		}
		finally {
			this.making.unlock();
		}
	}

	private Cell add(Map<String, Cell> home, String key, long now) {
		Cell cell = new Cell(home, key, this.orders++, now);
		home.put(key, cell);
		this.turn.addLast(cell);
		return cell;
	}

	private Cell share(Counts counts, String key, long now) {
		this.shared.incrementAndGet();
		int hash = key.hashCode();
		String slot = Integer.toString((hash ^ (hash >>> 16)) & (SHARED - 1));
		Cell cell = counts.sharedCells.get(slot);
		return (cell != null) ? cell : add(counts.sharedCells, slot, now);
	}

	private boolean hasRoom(long now) {
		Cell least = leastSpentOfNext(now);
		if (this.turn.size() < this.max) {
			return true;
		}
		if (least != null && least.retireBelow(LITTLE)) {
			this.turn.removeLastOccurrence(least);
			least.leave();
			this.dropped.incrementAndGet();
			return true;
		}
		return false;
	}

	/** Drops those of the next cells that have run out. */
	private @Nullable Cell leastSpentOfNext(long now) {
		Cell least = null;
		for (int looks = Math.min(LOOKS, this.turn.size()); looks > 0; looks--) {
			Cell cell = this.turn.removeFirst();
			if (cell.retire(now)) {
				cell.leave();
			}
			else {
				this.turn.addLast(cell);
				least = (least == null || cell.spentPart() < least.spentPart()) ? cell : least;
			}
		}
		return least;
	}

	/** The counts under one name: as few as policies have limits, and never dropped. */
	private static final class Bucket {

		private volatile Counts[] counts = {};

		Counts counts(int position) {
			for (Counts known : this.counts) {
				if (known.position == position) {
					return known;
				}
			}
			return add(position);
		}

		private synchronized Counts add(int position) {
			for (Counts known : this.counts) {
				if (known.position == position) {
					return known;
				}
			}
			Counts added = new Counts(position);
			Counts[] all = Arrays.copyOf(this.counts, this.counts.length + 1);
			all[all.length - 1] = added;
			this.counts = all;
			return added;
		}

	}

	/**
	 * The cells of one limit of a policy. Maps find those quickly to which callers gave
	 * one hash, as keys have an order.
	 */
	private static final class Counts {

		private final int position;

		private final ConcurrentHashMap<String, Cell> cells = new ConcurrentHashMap<>();

		/** By a number instead of a key. */
		private final ConcurrentHashMap<String, Cell> sharedCells = new ConcurrentHashMap<>();

		Counts(int position) {
			this.position = position;
		}

	}

}
