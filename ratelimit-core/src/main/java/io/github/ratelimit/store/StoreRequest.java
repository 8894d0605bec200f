package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import org.jspecify.annotations.Nullable;

/**
 * A request to a store: one operation on one or more counts, all or nothing.
 *
 * @param operation the operation
 * @param permits at least one, no two for the same count; those in shadow come last
 */
public record StoreRequest(StoreOperation operation, List<PermitRequest> permits) {

	/**
	 * Creates a request for one limit.
	 * @param operation the operation
	 * @param permit the limit's part
	 * @return the request
	 */
	public static StoreRequest of(StoreOperation operation, PermitRequest permit) {
		return new StoreRequest(operation, List.of(permit));
	}

	/**
	 * Returns this request with another operation.
	 * @param operation the operation
	 * @return the request
	 */
	public StoreRequest with(StoreOperation operation) {
		return (operation == this.operation) ? this : new StoreRequest(operation, this.permits);
	}

	/**
	 * Returns whether this request acquires permits, and is admitted or denied at once:
	 * no limit lets it wait, is in shadow or is free. Equal immediate requests can be
	 * coalesced.
	 * @return whether it is an immediate acquisition
	 */
	public boolean isImmediate() {
		if (this.operation != StoreOperation.ACQUIRE) {
			return false;
		}
		for (int i = 0; i < this.permits.size(); i++) {
			PermitRequest permit = this.permits.get(i);
			if (permit.maxWaitMicros() > 0 || permit.shadow() || permit.cost() == 0) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Returns whether all counts belong to one counter and key.
	 * @return whether it is for one key
	 */
	public boolean isForOneKey() {
		PermitRequest first = this.permits.get(0);
		for (int i = 1; i < this.permits.size(); i++) {
			if (!first.sharesKeyWith(this.permits.get(i))) {
				return false;
			}
		}
		return true;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other || (other instanceof StoreRequest that && this.operation == that.operation
				&& areEqual(this.permits, that.permits));
	}

	/** Compares without iterators, which take longer than the rest. */
	private static boolean areEqual(List<PermitRequest> permits, List<PermitRequest> others) {
		int size = permits.size();
		boolean areEqual = size == others.size();
		for (int i = 0; areEqual && i < size; i++) {
			areEqual = permits.get(i).equals(others.get(i));
		}
		return areEqual;
	}

	@Override
	public int hashCode() {
		return 31 * this.operation.hashCode() + this.permits.hashCode();
	}

	/**
	 * Puts the decisions of the limits together, for stores.
	 * @param storeTimeMicros the store's time
	 * @param decided the decision of each limit, in the order of the permits
	 * @return the decision on the request
	 */
	public Decision decide(long storeTimeMicros, List<LimitDecision> decided) {
		List<LimitDecision> enforced = new ArrayList<>(decided.size());
		List<LimitDecision> inShadow = new ArrayList<>();
		for (int i = 0; i < decided.size(); i++) {
			(this.permits.get(i).shadow() ? inShadow : enforced).add(decided.get(i));
		}
		return Decision.of(storeTimeMicros, enforced, inShadow);
	}

}
