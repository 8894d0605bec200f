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

	/** Set, within the lock of the queue, once another session has locked a count. */
	private boolean alone;

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

	/** Returns whether one run may decide both, of which this is the first. */
	boolean mayShareRunWith(PendingDecision other) {
		return (!this.alone && !other.alone) || this.keys.equals(other.keys);
	}

	void leaveAlone() {
		this.alone = true;
	}

}
