package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.LimitDecision;
import org.jspecify.annotations.Nullable;

/**
 * Keeps counts in this process, for limits per instance. It never blocks for longer than
 * another decision on the same key takes, and it never fails.
 *
 * <p>
 * The number of counts is bounded: once {@code maxKeys} are live, further keys of a limit
 * share a fixed number of counts until others have run out. A key takes at most as much
 * memory as 64 characters do. Thread-safe.
 */
public final class MemoryRateLimitStore implements RateLimitStore {

	/** The name of this store. */
	public static final String NAME = "memory";

	private final Cells cells;

	private final LongSupplier clock;

	/**
	 * A store that counts by the process's monotonic clock.
	 * @param maxKeys how many counts to keep apart, at least 1
	 */
	public MemoryRateLimitStore(int maxKeys) {
		this(maxKeys, monotonicClock());
	}

	/**
	 * A store that counts by a clock of the caller's.
	 * @param maxKeys how many counts to keep apart, at least 1
	 * @param clock microseconds since 1970
	 */
	public MemoryRateLimitStore(int maxKeys, LongSupplier clock) {
		if (maxKeys < 1) {
			throw new IllegalArgumentException("'maxKeys' must be at least 1, was " + maxKeys);
		}
		this.cells = new Cells(maxKeys);
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

	@Override
	public Decision acquire(List<Debit> debits) {
		Decision decision;
		do {
			List<Claim> claims = claims(debits);
			decision = locked(cellsInOrder(claims), 0, claims);
		}
		while (decision == null);
		return decision;
	}

	@Override
	public CompletionStage<Decision> acquireAsync(List<Debit> debits) {
		return CompletableFuture.completedFuture(acquire(debits));
	}

	private List<Claim> claims(List<Debit> debits) {
		long now = this.clock.getAsLong();
		List<Claim> claims = new ArrayList<>(debits.size());
		for (Debit debit : debits) {
			String key = ShortKey.of(debit.key());
			for (int position = 0; position < debit.limits().size(); position++) {
				Cell cell = this.cells.get(new Cell.Name(debit.policy(), position, key), now);
				claims.add(new Claim(cell, debit.policy(), debit.limits().get(position), debit.cost()));
			}
		}
		return claims;
	}

	private static List<Cell> cellsInOrder(List<Claim> claims) {
		if (claims.size() == 1) {
			return List.of(claims.get(0).cell());
		}
		return claims.stream()
			.map(Claim::cell)
			.distinct()
			.sorted(Comparator.comparingLong((cell) -> cell.order))
			.toList();
	}

	private @Nullable Decision locked(List<Cell> cells, int from, List<Claim> claims) {
		if (from == cells.size()) {
			return decide(claims);
		}
		synchronized (cells.get(from)) {
			return cells.get(from).isRetired() ? null : locked(cells, from + 1, claims);
		}
	}

	/**
	 * The clock is read under the locks: a cell never sees time run back because two
	 * threads overtook each other.
	 */
	private Decision decide(List<Claim> claims) {
		long now = this.clock.getAsLong();
		long[] waits = new long[claims.size()];
		boolean allowed = true;
		for (int i = 0; i < waits.length; i++) {
			waits[i] = claims.get(i).retryAfter(now, costBefore(i, claims));
			allowed &= waits[i] == 0;
		}
		if (allowed) {
			claims.forEach((claim) -> claim.take(now));
		}
		List<LimitDecision> limits = new ArrayList<>(waits.length);
		for (int i = 0; i < waits.length; i++) {
			limits.add(claims.get(i).report(now, waits[i]));
		}
		return new Decision(now, limits);
	}

	/** What this call already asks of a cell that two of its keys share. */
	private static long costBefore(int index, List<Claim> claims) {
		long cost = 0;
		for (int i = 0; i < index; i++) {
			if (claims.get(i).cell() == claims.get(index).cell()) {
				cost += claims.get(i).cost();
			}
		}
		return cost;
	}

	private static LongSupplier monotonicClock() {
		long start = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
		long origin = System.nanoTime();
		return () -> start + TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - origin);
	}

	/** One limit of a call, with the cell that it is charged to. */
	private record Claim(Cell cell, String policy, Limit limit, long cost) {

		/**
		 * Two keys that share a cell may ask for more than it can ever admit: together
		 * they never fit, so the call waits for as much as it holds.
		 */
		long retryAfter(long now, long costBefore) {
			long asked = costBefore + this.cost;
			long wait = this.cell.retryAfter(this.limit, now, Math.min(asked, this.limit.burst()));
			return (asked > this.limit.burst()) ? Math.max(wait, 1) : wait;
		}

		void take(long now) {
			if (this.cost > 0) {
				this.cell.take(this.limit, now, this.cost);
			}
		}

		LimitDecision report(long now, long retryAfter) {
			return this.cell.report(this.policy, this.limit, now, retryAfter);
		}

	}

}
