package io.github.ratelimit.store;

import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The cells of the memory store, bounded. Each new cell pays for looking at a few old
 * ones, so that those whose state has run out are dropped without any scan. When no room
 * is left, further keys of a limit share {@value #SHARED} cells: nobody's count is
 * forgotten to make room, and nobody is locked out.
 */
final class Cells {

	private static final int SHARED = 1024;

	private static final int LOOKS = 8;

	private final ConcurrentHashMap<Cell.Name, Cell> cells = new ConcurrentHashMap<>();

	private final AtomicInteger size = new AtomicInteger();

	private final AtomicLong orders = new AtomicLong();

	private final ReentrantLock sweeping = new ReentrantLock();

	private final int max;

	private Iterator<Cell> hand = this.cells.values().iterator();

	Cells(int max) {
		this.max = max;
	}

	int size() {
		return this.size.get();
	}

	Cell get(Cell.Name name, long now) {
		Cell cell = this.cells.get(name);
		return (cell != null) ? cell : create(name, now);
	}

	private Cell create(Cell.Name name, long now) {
		sweep(now);
		return this.cells.computeIfAbsent((this.size.get() < this.max) ? name : shared(name), (key) -> {
			this.size.incrementAndGet();
			return new Cell(key, this.orders.getAndIncrement(), now);
		});
	}

	private void sweep(long now) {
		if (!this.sweeping.tryLock()) {
			return;
		}
		try {
			for (int look = 0; look < LOOKS; look++) {
				lookAtNext(now);
			}
		}
		finally {
			this.sweeping.unlock();
		}
	}

	private void lookAtNext(long now) {
		if (!this.hand.hasNext()) {
			this.hand = this.cells.values().iterator();
		}
		if (this.hand.hasNext()) {
			Cell cell = this.hand.next();
			if (cell.retire(now)) {
				this.cells.remove(cell.name, cell);
				this.size.decrementAndGet();
			}
		}
	}

	/** A name that no caller can choose, as it stands under a position of its own. */
	private static Cell.Name shared(Cell.Name name) {
		int hash = name.key().hashCode();
		int slot = (hash ^ (hash >>> 16)) & (SHARED - 1);
		return new Cell.Name(name.bucket(), -1 - name.position(), Integer.toString(slot));
	}

}
