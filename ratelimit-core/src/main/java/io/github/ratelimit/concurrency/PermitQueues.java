package io.github.ratelimit.concurrency;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map.Entry;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * The queues in which calls of this instance wait for permits that other calls hold. Each
 * limit on concurrency has one for each key, in the order in which the calls came. A call
 * is in one queue at a time, and the first of a queue can always try. Thread-safe without
 * locks, as event loops must not be parked.
 */
public final class PermitQueues {

	/** The calls of all queues. Those of a queue are next to one another. */
	private final ConcurrentNavigableMap<Place, QueuedCall> calls = new ConcurrentSkipListMap<>(Place.ORDER);

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
		return this.calls.isEmpty();
	}

	boolean isClosed() {
		return this.closed;
	}

	/** Returns the first of some permits that calls wait for, if any. */
	@Nullable PermitRequest contested(List<PermitRequest> permits) {
		return isEmpty() ? null : permits.stream().filter((permit) -> first(permit) != null).findFirst().orElse(null);
	}

	/** Adds a call to the queue for a permit, unless the queues are closed. */
	boolean tryEnter(QueuedCall call, PermitRequest permit) {
		call.waitFor(permit);
		this.calls.put(Place.of(permit, call.arrival()), call);
		if (this.closed) {
			leave(call, false);
			return false;
		}
		return true;
	}

	/** Returns whether a call is the first of its queue. */
	@SuppressWarnings("ReferenceEquality") // the same call
	boolean isFirst(QueuedCall call) {
		PermitRequest permit = call.permit();
		return permit != null && first(permit) == call;
	}

	private @Nullable QueuedCall first(PermitRequest permit) {
		Entry<Place, QueuedCall> entry = this.calls.ceilingEntry(Place.of(permit, 0));
		return (entry != null && entry.getKey().isOf(permit)) ? entry.getValue() : null;
	}

	/**
	 * Removes a call from its queue. If it was the first, the next one tries: now if
	 * there may be a free permit, else soon. Of two calls that leave at the same time,
	 * the one that looks last sees who remains.
	 */
	void leave(QueuedCall call, boolean hasRoom) {
		PermitRequest permit = call.permit();
		call.waitFor(null);
		if (permit == null || this.calls.remove(Place.of(permit, call.arrival())) == null) {
			return;
		}
		QueuedCall first = first(permit);
		if (first == null || first.arrival() < call.arrival()) {
			return;
		}
		if (hasRoom || call.mayHaveMissedRelease()) {
			first.tryNow();
		}
		else {
			first.tryAsFirst();
		}
	}

	/** Lets the first calls that wait for released permits try. */
	void released(StoreRequest refund) {
		this.releases.incrementAndGet();
		if (!isEmpty()) {
			firsts(refund).forEach(QueuedCall::tryNow);
		}
	}

	private List<QueuedCall> firsts(StoreRequest refund) {
		List<QueuedCall> firsts = new ArrayList<>();
		for (PermitRequest permit : refund.permits()) {
			Entry<Place, QueuedCall> entry = this.calls.ceilingEntry(Place.start(permit));
			while (entry != null && entry.getKey().sharesCountWith(permit)) {
				firsts.add(entry.getValue());
				entry = this.calls.higherEntry(entry.getKey().last());
			}
		}
		return firsts;
	}

	/** Ends the waits of all calls. Later calls do not wait. */
	public void close() {
		this.closed = true;
		this.calls.values().forEach(QueuedCall::stop);
	}

	/**
	 * A place in a queue. The queues of a count, which several policies may share, are
	 * next to one another.
	 *
	 * @param counter the name of the counter
	 * @param key the key
	 * @param limit the limit; {@code null} for the place before all queues of the count
	 * @param arrival the call's number
	 */
	private record Place(String counter, String key, @Nullable PolicyLimit limit, long arrival) {

		static final Comparator<Place> ORDER = Comparator.comparing(Place::counter)
			.thenComparing(Place::key)
			.thenComparing(Place::limit, Comparator.nullsFirst(Place::compare))
			.thenComparingLong(Place::arrival);

		static Place of(PermitRequest permit, long arrival) {
			return new Place(permit.policyLimit().counter(), permit.key(), permit.policyLimit(), arrival);
		}

		static Place start(PermitRequest permit) {
			return new Place(permit.policyLimit().counter(), permit.key(), null, 0);
		}

		Place last() {
			return new Place(this.counter, this.key, this.limit, Long.MAX_VALUE);
		}

		boolean isOf(PermitRequest permit) {
			return sharesCountWith(permit) && this.limit != null && compare(this.limit, permit.policyLimit()) == 0;
		}

		boolean sharesCountWith(PermitRequest permit) {
			return this.counter.equals(permit.policyLimit().counter()) && this.key.equals(permit.key());
		}

		private static int compare(PolicyLimit one, PolicyLimit other) {
			return one.equals(other) ? 0 : one.toString().compareTo(other.toString());
		}

	}

}
