package io.github.ratelimit.store;

import java.util.List;

import io.github.ratelimit.algorithm.Formula;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.DecisionOfSeveral;

/**
 * Decisions on {@link Count}s, for stores that decide in Java. A store finds the counts
 * of a request, has them decide it, and keeps those that have changed, all or none. No
 * other call may change them meanwhile.
 */
public final class Counts {

	private Counts() {
	}

	/**
	 * Acquires permits of one limit, the usual case, without any object but the decision.
	 * @param permit the request
	 * @param count its count
	 * @param clock the time of the store, in microseconds since 1970
	 * @return the decision
	 */
	public static Decision acquire(PermitRequest permit, Count count, long clock) {
		Limit limit = permit.limit();
		Formula formula = limit.formula();
		long now = count.open(limit, clock);
		long wait = count.waitFor(formula, now, permit.required());
		if (wait <= permit.maxWaitMicros() && permit.cost() > 0) {
			count.take(limit, now, permit.cost(), wait);
		}
		return Decision.of(clock, permit, wait, count.remaining(formula, now), count.resetAfter(limit, now));
	}

	/**
	 * Executes a request. A request that is denied changes no count, except for those
	 * that have run out.
	 * @param request the request, of any operation
	 * @param counts the count of each permit, in their order. Keys may share one
	 * @param clock the time of the store, in microseconds since 1970
	 * @return the decision
	 */
	public static Decision decide(StoreRequest request, List<Count> counts, long clock) {
		int size = counts.size();
		CountAccess[] accesses = new CountAccess[size];
		boolean admitted = true;
		long latest = 0;
		for (int i = 0; i < size; i++) {
			accesses[i] = new CountAccess(counts.get(i), request.permits().get(i));
			admitted &= accesses[i].open(request.operation(), clock, requiredBefore(accesses, i));
			latest = Math.max(latest, accesses[i].turn());
		}
		long[] numbers = new long[DecisionOfSeveral.NUMBERS * size];
		for (int i = 0; i < size; i++) {
			accesses[i].apply(request.operation(), admitted, latest);
			accesses[i].report(numbers, DecisionOfSeveral.NUMBERS * i);
		}
		return DecisionOfSeveral.of(clock, request.permits(), numbers);
	}

	/** Adds up what the request requires of a count that several of its keys share. */
	private static long requiredBefore(CountAccess[] accesses, int index) {
		long required = 0;
		for (int i = 0; i < index; i++) {
			required += accesses[i].requiredOf(accesses[index]);
		}
		return required;
	}

}
