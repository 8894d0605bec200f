package io.github.ratelimit.jdbc;

import java.util.List;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.PendingRun;
import io.github.ratelimit.store.shared.ReplyHandler;

/**
 * A request that waits for its decision, until its timeout at most.
 */
final class PendingDecision extends PendingRun<Decision, Decision> {

	private final StoreRequest request;

	private final List<String> ofPermits;

	private final List<String> keys;

	/**
	 * The keys of the counts that another session had locked; written while this is in no
	 * queue.
	 */
	private List<String> awaited = List.of();

	/**
	 * Creates a request.
	 * @param ofPermits the key of the count of each permit
	 */
	PendingDecision(StoreRequest request, List<String> ofPermits, ReplyHandler<Decision, Decision> handler) {
		super(handler, 0);
		this.request = request;
		this.ofPermits = ofPermits;
		this.keys = (ofPermits.size() < 2) ? ofPermits : ofPermits.stream().sorted().distinct().toList();
	}

	/** Returns the keys of its counts, each once. */
	List<String> keys() {
		return this.keys;
	}

	Decision decide(ReadCounts counts) {
		return counts.decide(this.request, this.ofPermits);
	}

	/**
	 * Returns whether one run may decide both, of which this is the first: as it waits
	 * for the counts that another session has locked, only requests that wait for the
	 * same ones may.
	 */
	boolean mayShareRunWith(PendingDecision other) {
		return this.awaited.equals(other.awaited) || isOfSameCounts(other);
	}

	boolean isOfSameCounts(PendingDecision other) {
		return this.keys.equals(other.keys);
	}

	/** Sets which of its counts another session has locked. */
	void await(List<String> locked) {
		this.awaited = locked;
	}

	/** Returns whether the next run has to wait for another session. */
	boolean isAwaiting() {
		return !this.awaited.isEmpty();
	}

}
