package io.github.ratelimit.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

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

	private final ConcurrentHashMap<Cell.Name, Cell> cells = new ConcurrentHashMap<>();

	private final ReentrantLock making = new ReentrantLock();

	private final int max;

	/** All cells, those first that are to be looked at next; guarded by the lock. */
	private final Deque<Cell> turn = new ArrayDeque<>();

	private long orders;

	private final AtomicLong dropped = new AtomicLong();

	private final AtomicLong shared = new AtomicLong();

	Cells(int max) {
		this.max = max;
	}

	int size() {
		return this.cells.size();
	}

	/** How many cells made room although something was spent of them. */
	long dropped() {
		return this.dropped.get();
	}

	/** How many times a shared cell was answered. */
	long shared() {
		return this.shared.get();
	}

	Cell get(Cell.Name name, long now) {
		Cell cell = this.cells.get(name);
		return (cell != null) ? cell : create(name, now);
	}

	private Cell create(Cell.Name name, long now) {
		this.making.lock();
		try {
			Cell made = this.cells.get(name);
			return (made != null) ? made : hasRoom(now) ? add(name, now) : share(name, now);
		}
		finally {
			this.making.unlock();
		}
	}

	private Cell add(Cell.Name name, long now) {
		Cell cell = new Cell(name, this.orders++, now);
		this.cells.put(name, cell);
		this.turn.addLast(cell);
		return cell;
	}

	private Cell share(Cell.Name name, long now) {
		this.shared.incrementAndGet();
		Cell.Name shared = shared(name);
		Cell cell = this.cells.get(shared);
		return (cell != null) ? cell : add(shared, now);
	}

	private boolean hasRoom(long now) {
		Cell least = leastSpentOfNext(now);
		if (this.turn.size() < this.max) {
			return true;
		}
		if (least != null && least.retireBelow(LITTLE)) {
			this.turn.removeLastOccurrence(least);
			this.cells.remove(least.name, least);
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
				this.cells.remove(cell.name, cell);
			}
			else {
				this.turn.addLast(cell);
				least = (least == null || cell.spentPart() < least.spentPart()) ? cell : least;
			}
		}
		return least;
	}

	/** A name that no caller can choose, as it stands under a position of its own. */
	private static Cell.Name shared(Cell.Name name) {
		int hash = name.key().hashCode();
		int slot = (hash ^ (hash >>> 16)) & (SHARED - 1);
		return new Cell.Name(name.bucket(), -1 - name.position(), Integer.toString(slot));
	}

}
