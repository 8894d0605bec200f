package io.github.ratelimit.concurrency;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * The queues in which calls of this instance wait for permits that other calls hold. Each
 * limit on concurrency has one for each key, in the order in which the calls came. A call
 * is in one queue at a time, and the first of a queue can always try. An empty queue is
 * removed. Thread-safe.
 */
public final class PermitQueues {

	private final Lock lock = new ReentrantLock();

	/** The queues by count. Changed and read under the lock, except by isEmpty. */
	private final ConcurrentMap<Count, Map<PolicyLimit, NavigableSet<QueuedCall>>> queues = new ConcurrentHashMap<>();

	private final AtomicLong arrivals = new AtomicLong();

	private final AtomicLong releases = new AtomicLong();

	private volatile boolean closed;

	/** Creates queues without calls. */
	public PermitQueues() {
	}

	/** Returns a number that is higher than those of all calls before. */
	long nextArrival() {
		return this.arrivals.incrementAndGet();
	}

	/** Returns the number of releases so far. */
	long releases() {
		return this.releases.get();
	}

	/** Returns whether no call waits. */
	boolean isEmpty() {
		return this.queues.isEmpty();
	}

	boolean isClosed() {
		return this.closed;
	}

	/** Returns the first of some permits that calls wait for, if any. */
	@Nullable PermitRequest contested(List<PermitRequest> permits) {
		if (this.queues.isEmpty()) {
			return null;
		}
		this.lock.lock();
		try {
			for (PermitRequest permit : permits) {
				Map<PolicyLimit, NavigableSet<QueuedCall>> ofCount = this.queues.get(Count.of(permit));
				if (ofCount != null && ofCount.containsKey(permit.policyLimit())) {
					return permit;
				}
			}
			return null;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Adds a call to the queue for a permit, unless the queues are closed. */
	boolean tryEnter(QueuedCall call, PermitRequest permit) {
		this.lock.lock();
		try {
			if (!this.closed) {
				call.waitFor(permit);
				this.queues.computeIfAbsent(Count.of(permit), (count) -> new HashMap<>())
					.computeIfAbsent(permit.policyLimit(),
							(limit) -> new TreeSet<>(Comparator.comparingLong(QueuedCall::arrival)))
					.add(call);
			}
			return !this.closed;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Returns whether a call is the first of its queue. */
	boolean isFirst(QueuedCall call) {
		this.lock.lock();
		try {
			NavigableSet<QueuedCall> queue = queue(call.permit());
			return queue != null && isFirst(call, queue);
		}
		finally {
			this.lock.unlock();
		}
	}

	@SuppressWarnings("ReferenceEquality") // the same call
	private static boolean isFirst(QueuedCall call, NavigableSet<QueuedCall> queue) {
		return queue.first() == call;
	}

	/**
	 * Removes a call from its queue. If it was the first, the next one tries: now if
	 * there may be a free permit, else soon.
	 */
	void leave(QueuedCall call, boolean hasRoom) {
		QueuedCall next = remove(call);
		if (next != null && (hasRoom || call.mayHaveMissedRelease())) {
			next.tryNow();
		}
		else if (next != null) {
			next.tryAsFirst();
		}
	}

	/** Removes a call, and returns the next one if it was the first. */
	private @Nullable QueuedCall remove(QueuedCall call) {
		this.lock.lock();
		try {
			PermitRequest permit = call.permit();
			NavigableSet<QueuedCall> queue = queue(permit);
			call.waitFor(null);
			if (permit == null || queue == null) {
				return null;
			}
			boolean first = isFirst(call, queue);
			queue.remove(call);
			if (queue.isEmpty()) {
				drop(permit);
				return null;
			}
			return first ? queue.first() : null;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void drop(PermitRequest permit) {
		this.queues.computeIfPresent(Count.of(permit), (count, ofCount) -> {
			ofCount.remove(permit.policyLimit());
			return ofCount.isEmpty() ? null : ofCount;
		});
	}

	private @Nullable NavigableSet<QueuedCall> queue(@Nullable PermitRequest permit) {
		Map<PolicyLimit, NavigableSet<QueuedCall>> ofCount = (permit != null) ? this.queues.get(Count.of(permit))
				: null;
		return (ofCount != null && permit != null) ? ofCount.get(permit.policyLimit()) : null;
	}

	/** Lets the first calls that wait for released permits try. */
	void released(StoreRequest refund) {
		this.releases.incrementAndGet();
		if (!this.queues.isEmpty()) {
			firsts(refund).forEach(QueuedCall::tryNow);
		}
	}

	private List<QueuedCall> firsts(StoreRequest refund) {
		List<QueuedCall> firsts = new ArrayList<>();
		this.lock.lock();
		try {
			for (PermitRequest permit : refund.permits()) {
				this.queues.getOrDefault(Count.of(permit), Map.of())
					.values()
					.forEach((queue) -> firsts.add(queue.first()));
			}
			return firsts;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Ends the waits of all calls. Later calls do not wait. */
	public void close() {
		List<QueuedCall> all = new ArrayList<>();
		this.lock.lock();
		try {
			this.closed = true;
			this.queues.values().forEach((ofCount) -> ofCount.values().forEach(all::addAll));
		}
		finally {
			this.lock.unlock();
		}
		all.forEach(QueuedCall::stop);
	}

	/** A counter and key, whose permits several policies may share. */
	private record Count(String counter, String key) {

		static Count of(PermitRequest permit) {
			return new Count(permit.policyLimit().counter(), permit.key());
		}

	}

}
