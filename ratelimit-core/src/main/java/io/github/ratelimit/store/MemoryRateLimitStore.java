package io.github.ratelimit.store;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Formula;
import io.github.ratelimit.algorithm.Limit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps counts in this process, for limits per instance. It never blocks for longer than
 * another decision on the same key takes, and it never fails.
 *
 * <p>
 * The number of counts is bounded: once {@code maxKeys} are live, a new key takes the
 * place of one that has spent less than half of its burst; where none is found, keys of a
 * limit share a fixed number of counts until others have run out. A key takes at most as
 * much memory as 64 characters do.
 *
 * <p>
 * So is the memory of sliding window logs: once {@code maxLogBytes} are in use, they
 * become coarser in place of longer. They admit no more for that, but some calls later.
 * Thread-safe.
 */
public final class MemoryRateLimitStore implements RateLimitStore {

	/** The name of this store. */
	public static final String NAME = "memory";

	/** A constant, as dividing by one takes a multiplication. */
	private static final long NANOS_PER_MICRO = 1000;

	private static final int PART_OF_HEAP = 8;

	private final Cells cells;

	private final LongSupplier clock;

	/**
	 * A store that counts by the process's monotonic clock, with sliding window logs in
	 * at most an eighth of the heap.
	 * @param maxKeys how many counts to keep apart, at least 1
	 */
	public MemoryRateLimitStore(int maxKeys) {
		this(maxKeys, monotonicClock());
	}

	/**
	 * A store that counts by the process's monotonic clock.
	 * @param maxKeys how many counts to keep apart, at least 1
	 * @param maxLogBytes what sliding window logs of more than 8 entries may take up, at
	 * least 1
	 */
	public MemoryRateLimitStore(int maxKeys, long maxLogBytes) {
		this(maxKeys, maxLogBytes, monotonicClock());
	}

	/**
	 * A store that counts by a clock of the caller's, with sliding window logs in at most
	 * an eighth of the heap.
	 * @param maxKeys how many counts to keep apart, at least 1
	 * @param clock microseconds since 1970
	 */
	public MemoryRateLimitStore(int maxKeys, LongSupplier clock) {
		this(maxKeys, Runtime.getRuntime().maxMemory() / PART_OF_HEAP, clock);
	}

	MemoryRateLimitStore(int maxKeys, long maxLogBytes, LongSupplier clock) {
		if (maxKeys < 1) {
			throw new IllegalArgumentException("'maxKeys' must be at least 1, was " + maxKeys);
		}
		if (maxLogBytes < 1) {
			throw new IllegalArgumentException("'maxLogBytes' must be at least 1, was " + maxLogBytes);
		}
		this.cells = new Cells(maxKeys, maxLogBytes, clock);
		this.clock = clock;
	}

	@Override
	public String name() {
		return NAME;
	}

	/**
	 * How many counts are kept now.
	 * @return at most {@code maxKeys} and the shared ones
	 */
	public int size() {
		return this.cells.size();
	}

	/**
	 * How many counts were dropped so far of which something was spent, for new keys.
	 * @return at least 0
	 */
	public long dropped() {
		return this.cells.dropped();
	}

	/**
	 * How many times a call was charged to a count that keys share.
	 * @return at least 0
	 */
	public long shared() {
		return this.cells.shared();
	}

	/**
	 * What sliding window logs of more than 8 entries take up now.
	 * @return bytes
	 */
	public long logBytes() {
		return this.cells.memory().bytes();
	}

	/**
	 * How many times a sliding window log became coarser, as there was no memory for it
	 * to grow.
	 * @return at least 0
	 */
	public long coarsened() {
		return this.cells.memory().refused();
	}

	@Override
	public Decision execute(Operation operation, List<Debit> debits) {
		Decision decision;
		do {
			decision = (operation == Operation.ACQUIRE && debits.size() == 1) ? tryAcquire(debits.get(0))
					: tryAll(operation, debits);
		}
		while (decision == null);
		return decision;
	}

	@Override
	public CompletionStage<Decision> executeAsync(Operation operation, List<Debit> debits) {
		return CompletableFuture.completedFuture(execute(operation, debits));
	}

	private Claim claim(Debit debit) {
		return new Claim(this.cells.get(debit.clause(), debit.key()), debit);
	}

	/** What most calls come to, without an object but the decision. */
	private @Nullable Decision tryAcquire(Debit debit) {
		Cell cell = this.cells.get(debit.clause(), debit.key());
		Decision decision = cell.acquire(debit, this.clock);
		return (decision != null) ? decision : tryAcquire(debit, cell);
	}

	/**
	 * Nothing where the cell was dropped meanwhile. Those who had to wait for the monitor
	 * try without it first, as otherwise each would make the next one wait. The clock is
	 * read before the monitor is had, so that nobody waits for that, and once more where
	 * another thread overtook.
	 */
	private @Nullable Decision tryAcquire(Debit debit, Cell cell) {
		long clock = this.clock.getAsLong();
		synchronized (cell) {
			Decision decision = cell.acquire(debit, this.clock);
			if (decision != null || !cell.enter()) {
				return decision;
			}
			return acquire(debit, cell, cell.isAheadOf(clock) ? this.clock.getAsLong() : clock);
		}
	}

	private static Decision acquire(Debit debit, Cell cell, long clock) {
		Limit limit = debit.clause().limit();
		Formula formula = limit.formula();
		long now = cell.open(limit, clock);
		long wait = cell.waitFor(formula, now, debit.asked());
		if (wait <= debit.patience() && debit.cost() > 0) {
			cell.take(limit, now, debit.cost(), wait);
		}
		Decision decision = debit.decisionAlone(clock, wait, cell.remaining(formula, now), cell.resetAfter(limit, now));
		cell.exit(limit, now);
		return decision;
	}

	private @Nullable Decision tryAll(Operation operation, List<Debit> debits) {
		List<Claim> claims = debits.stream().map(this::claim).toList();
		List<Cell> cells = claims.stream()
			.map(Claim::cell)
			.distinct()
			.sorted(Comparator.comparingLong((cell) -> cell.order))
			.toList();
		return locked(cells, 0, operation, claims);
	}

	private @Nullable Decision locked(List<Cell> cells, int from, Operation operation, List<Claim> claims) {
		if (from == cells.size()) {
			return carryOut(operation, claims);
		}
		synchronized (cells.get(from)) {
			return cells.get(from).enter() ? locked(cells, from + 1, operation, claims) : null;
		}
	}

	/**
	 * The clock is read under the locks: a cell never sees time run back because two
	 * threads overtook each other.
	 */
	private Decision carryOut(Operation operation, List<Claim> claims) {
		long clock = this.clock.getAsLong();
		boolean admitted = true;
		for (int i = 0; i < claims.size(); i++) {
			admitted &= claims.get(i).admits(operation, clock, askedBefore(i, claims));
		}
		for (Claim claim : claims) {
			claim.settle(operation, admitted);
		}
		return Debit.decision(clock, claims.stream().map(Claim::debit).toList(),
				claims.stream().map(Claim::decision).toList());
	}

	/** What this call already asks of a cell that two of its keys share. */
	private static long askedBefore(int index, List<Claim> claims) {
		long asked = 0;
		for (int i = 0; i < index; i++) {
			if (claims.get(i).cell() == claims.get(index).cell()) {
				asked += claims.get(i).debit().asked();
			}
		}
		return asked;
	}

	private static LongSupplier monotonicClock() {
		long start = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
		long origin = System.nanoTime();
		return () -> start + (System.nanoTime() - origin) / NANOS_PER_MICRO;
	}

}
