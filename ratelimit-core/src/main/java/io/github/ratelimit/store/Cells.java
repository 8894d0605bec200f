package io.github.ratelimit.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
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

	private final CountsTable counts = new CountsTable();

	private final ReentrantLock making = new ReentrantLock();

	private final int max;

	private final StateMemory memory;

	private final LongSupplier clock;

	/** All cells, those first that are to be looked at next; guarded by the lock. */
	private final Deque<Cell> turn = new ArrayDeque<>();

	private long orders;

	private final AtomicLong dropped = new AtomicLong();

	private final AtomicLong shared = new AtomicLong();

	Cells(int max, long maxLogBytes, LongSupplier clock) {
		this.max = max;
		this.memory = new StateMemory(maxLogBytes, max);
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

	/** What logs of cells take up. */
	StateMemory memory() {
		return this.memory;
	}

	Cell get(Clause clause, String key) {
		Counts counts = this.counts.of(clause);
		Cell cell0 = counts.cells().get(key);
		if (cell0 != null) {
			return cell0;
		}
		String shortKey = ShortKey.of(key);
		Cell cell = counts.cells().get(shortKey);
		return (cell != null) ? cell : create(counts, shortKey, this.clock.getAsLong());
	}

	private Cell create(Counts counts, String key, long now) {
		this.making.lock();
		try {
			Cell made = counts.cells().get(key);
			return (made != null) ? made : hasRoom(now) ? add(counts.cells(), key, now) : share(counts, key, now);
		}
		finally {
			this.making.unlock();
		}
	}

	private Cell add(Map<String, Cell> home, String key, long now) {
		Cell cell = new Cell(home, this.memory, key, this.orders++, now);
		home.put(key, cell);
		this.turn.addLast(cell);
		return cell;
	}

	private Cell share(Counts counts, String key, long now) {
		this.shared.incrementAndGet();
		int hash = key.hashCode();
		String slot = Integer.toString((hash ^ (hash >>> 16)) & (SHARED - 1));
		Cell cell = counts.sharedCells().get(slot);
		return (cell != null) ? cell : add(counts.sharedCells(), slot, now);
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

}
