package io.github.ratelimit.store.memory;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.ratelimit.algorithm.Formula;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.Count;
import io.github.ratelimit.store.PermitRequest;
import org.jspecify.annotations.Nullable;

/**
 * A counter of one limit for one key. Guarded by its own monitor; the monitors of several
 * counters are taken in the order of {@link #order}.
 */
final class Counter {

	private static final long GRACE = TimeUnit.SECONDS.toMicros(1);

	final long order;

	private final Map<String, Counter> home;

	private final String key;

	private final Count.Memory memory;

	/** The count; {@code null} while threads count without the monitor. */
	private @Nullable Count count;

	/** The limit that last let threads count without the monitor. */
	private @Nullable Limit limit;

	/** The replacement of the count while threads count without the monitor. */
	private volatile @Nullable AtomicCounter lockFree;

	private boolean retired;

	/**
	 * Creates a counter for a coming call, which must find it before it may be dropped.
	 * @param home the map in which calls find it, by the key
	 * @param memory bounds the memory of states
	 */
	Counter(Map<String, Counter> home, Count.Memory memory, String key, long order, long now) {
		this.home = home;
		this.memory = memory;
		this.key = key;
		this.order = order;
		this.count = new Count(memory, now + GRACE);
	}

	/** Removes a dropped counter from its map. */
	void leave() {
		this.home.remove(this.key, this);
		count().release();
	}

	/** Acquires permits without the monitor; {@code null} if it is required. */
	@Nullable Decision acquire(PermitRequest permit, LongSupplier clock) {
		AtomicCounter open = this.lockFree;
		return (open != null) ? open.acquire(permit, clock) : null;
	}

	/**
	 * Lets threads count without the monitor, if one number represents the state and the
	 * limit has just changed it.
	 */
	void exit(Limit limit, long now) {
		Count known = this.count;
		if (known != null && known.isJustChangedBy(limit, now)) {
			AtomicCounter open = AtomicCounter.of(limit, known.state(), now);
			this.limit = limit;
			this.lockFree = open;
			this.count = (open != null) ? null : known;
		}
	}

	/** Returns the counter for threads without the monitor; {@code null} for none. */
	@Nullable AtomicCounter atomic() {
		return this.lockFree;
	}

	/** Returns the count, and ends counting without the monitor, under the monitor. */
	Count count() {
		AtomicCounter open = this.lockFree;
		if (open != null) {
			this.lockFree = null;
			this.count = open.close(this.memory, Objects.requireNonNull(this.limit));
		}
		return Objects.requireNonNull(this.count);
	}

	/** Returns whether the counter was dropped, under the monitor. */
	boolean isRetired() {
		return this.retired;
	}

	/**
	 * Drops this counter if its state has expired, so that nothing is lost.
	 * @param kept for how long it is kept after that, unless its state has grown
	 */
	synchronized boolean tryRetire(long now, long kept) {
		Count known = this.count;
		long latest = (known != null && known.hasGrown()) ? now : now - kept;
		boolean expired = !this.retired && expiresAt() <= latest;
		if (expired) {
			this.retired = count().expiresAt() <= latest;
		}
		return expired && this.retired;
	}

	/** Drops this counter even if live, if less is spent than a part of the burst. */
	synchronized boolean tryRetireBelow(double part) {
		if (spentPart() < part) {
			count();
			this.retired = this.retired || spentPart() < part;
		}
		return this.retired;
	}

	/**
	 * Returns the part of the burst that was spent at the last change; 1 before the first
	 * call, or if calls may hold permits. It is not brought up to date, as that may take
	 * long.
	 */
	synchronized double spentPart() {
		AtomicCounter open = this.lockFree;
		return (open != null) ? spentPart(this.limit, open.state()) : spentPart(count().writer(), count().state());
	}

	private static double spentPart(@Nullable Limit writer, long[] state) {
		return (writer == null || writer.isConcurrency()) ? 1 : (double) Formula.permitsSpent(state) / writer.burst();
	}

	private long expiresAt() {
		AtomicCounter open = this.lockFree;
		return (open != null) ? open.resetAt() : count().expiresAt();
	}

}
