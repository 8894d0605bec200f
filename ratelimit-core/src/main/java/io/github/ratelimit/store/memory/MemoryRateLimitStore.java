package io.github.ratelimit.store.memory;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.Count;
import io.github.ratelimit.store.Counts;
import io.github.ratelimit.store.DetachedReservations;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * A store in this process, for limits per instance. It never blocks for longer than
 * another decision on the same key takes, and it never fails.
 *
 * <p>
 * The number of counts is bounded. Once {@code maxKeys} are live, a new key evicts one
 * that has spent less than half of its burst. If none is found, keys of a limit share a
 * fixed number of counts until others have expired. A key takes at most as much memory as
 * 64 characters do.
 *
 * <p>
 * The memory of sliding window logs is bounded too: once {@code maxLogBytes} are in use,
 * they become coarser instead of longer. They admit no more then, but some calls later.
 * Thread-safe.
 */
public final class MemoryRateLimitStore implements RateLimitStore {

	/** The name of this store. */
	public static final String NAME = "memory";

	/** The number of counts that are kept apart by default. */
	public static final int STANDARD_KEYS = 100_000;

	/**
	 * The divisor of the clock. A constant, as dividing by one takes a multiplication.
	 */
	private static final long NANOS_PER_MICRO = 1000;

	private static final int PART_OF_HEAP = 8;

	private final CounterStore counters;

	private final LongSupplier clock;

	private final int maxKeys;

	/** The detached reservations; {@code null} until the first use. */
	private @Nullable MemoryDetachedReservations detached;

	/**
	 * Creates a store that counts by the process's monotonic clock, with sliding window
	 * logs in at most an eighth of the heap.
	 * @param maxKeys the number of separate counts, at least 1
	 */
	public MemoryRateLimitStore(int maxKeys) {
		this(maxKeys, monotonicClock());
	}

	/**
	 * Creates a store that counts by the process's monotonic clock.
	 * @param maxKeys the number of separate counts, at least 1
	 * @param maxLogBytes the memory of sliding window logs of more than 8 entries, at
	 * least 1
	 */
	public MemoryRateLimitStore(int maxKeys, long maxLogBytes) {
		this(maxKeys, maxLogBytes, monotonicClock());
	}

	/**
	 * Creates a store that counts by a given clock, with sliding window logs in at most
	 * an eighth of the heap.
	 * @param maxKeys the number of separate counts, at least 1
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
		this.counters = new CounterStore(maxKeys, maxLogBytes, clock);
		this.clock = clock;
		this.maxKeys = maxKeys;
	}

	@Override
	public boolean isInProcess() {
		return true;
	}

	@Override
	public String name() {
		return NAME;
	}

	/**
	 * Returns the number of counts.
	 * @return at most {@code maxKeys} and the shared ones
	 */
	public int size() {
		return this.counters.size();
	}

	/**
	 * Returns the number of counts with permits spent that were evicted so far.
	 * @return at least 0
	 */
	public long dropped() {
		return this.counters.dropped();
	}

	/**
	 * Returns how many times a call was charged to a shared count.
	 * @return at least 0
	 */
	public long shared() {
		return this.counters.shared();
	}

	/**
	 * Returns the memory of sliding window logs of more than 8 entries.
	 * @return bytes
	 */
	public long logBytes() {
		return this.counters.memory().bytes();
	}

	/**
	 * Returns the most memory of sliding window logs of more than 8 entries.
	 * @return bytes
	 */
	public long maxLogBytes() {
		return this.counters.memory().maxBytes();
	}

	/**
	 * Returns how many times a sliding window log became coarser, as there was no memory
	 * to grow.
	 * @return at least 0
	 */
	public long coarsened() {
		return this.counters.memory().refused();
	}

	@Override
	public Decision execute(StoreRequest request) {
		boolean single = request.operation() == StoreOperation.ACQUIRE && request.permits().size() == 1;
		Decision decision;
		do {
			decision = single ? tryAcquire(request.permits().get(0)) : tryAll(request);
		}
		while (decision == null);
		return decision;
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		return CompletableFuture.completedFuture(execute(request));
	}

	/**
	 * Returns the detached reservations, of which at most {@code maxKeys} charges are
	 * kept. They end with this process.
	 */
	@Override
	public synchronized DetachedReservations detachedReservations() {
		if (this.detached == null) {
			this.detached = new MemoryDetachedReservations(this.maxKeys, this.clock, this::execute);
		}
		return this.detached;
	}

	/**
	 * Acquires permits of one limit, the usual case, without any object but the decision.
	 */
	private @Nullable Decision tryAcquire(PermitRequest permit) {
		Counter counter = this.counters.get(permit.policyLimit(), permit.key());
		Decision decision = counter.acquire(permit, this.clock);
		return (decision != null) ? decision : tryAcquire(permit, counter);
	}

	/**
	 * Acquires permits, or returns {@code null} if the counter was dropped meanwhile. A
	 * thread that waited for the monitor first tries without it, as otherwise each would
	 * make the next one wait. The clock is read before the monitor is taken, so that no
	 * thread waits for it, and once more if another thread overtook.
	 */
	private @Nullable Decision tryAcquire(PermitRequest permit, Counter counter) {
		long clock = this.clock.getAsLong();
		synchronized (counter) {
			Decision decision = counter.acquire(permit, this.clock);
			return (decision != null || counter.isRetired()) ? decision : acquire(permit, counter, clock);
		}
	}

	private Decision acquire(PermitRequest permit, Counter counter, long clock) {
		Count count = counter.count();
		long time = count.isAheadOf(clock) ? this.clock.getAsLong() : clock;
		Decision decision = Counts.acquire(permit, count, time);
		counter.exit(permit.limit(), time);
		return decision;
	}

	private @Nullable Decision tryAll(StoreRequest request) {
		List<PermitRequest> permits = request.permits();
		CounterAccesses accesses = new CounterAccesses(request, this.clock);
		boolean peek = request.operation() == StoreOperation.PEEK;
		for (int i = 0; i < permits.size(); i++) {
			PermitRequest permit = permits.get(i);
			accesses.add(peek ? this.counters.find(permit.policyLimit(), permit.key())
					: this.counters.get(permit.policyLimit(), permit.key()));
		}
		return accesses.tryDecide();
	}

	private static LongSupplier monotonicClock() {
		long start = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
		long origin = System.nanoTime();
		return () -> start + (System.nanoTime() - origin) / NANOS_PER_MICRO;
	}

}
