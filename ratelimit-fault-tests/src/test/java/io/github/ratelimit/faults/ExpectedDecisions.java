package io.github.ratelimit.faults;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Definition;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.StoreOperation;

/** The decisions on the requests of one key by the definition of its algorithm. */
interface ExpectedDecisions {

	static ExpectedDecisions of(Limit limit) {
		return (limit.algorithm() == Algorithm.SLIDING_WINDOW_LOG) ? new OfALog(limit) : new ByDefinition(limit);
	}

	/** Charges a request if there is room at a time, and returns whether there was. */
	boolean tryAcquire(long time);

	/** Returns whether there is room at a time. */
	boolean hasRoom(long time);

	/** Returns whether nothing is spent at a time. */
	boolean isUnspent(long time);

	/** The decisions of any algorithm. */
	final class ByDefinition implements ExpectedDecisions {

		private final Definition definition;

		private final PermitRequest permit;

		private ByDefinition(Limit limit) {
			this.definition = Definition.of(limit);
			this.permit = PermitRequests.of("hot", List.of(limit), "key", 1).get(0);
		}

		@Override
		public boolean tryAcquire(long time) {
			return decision(StoreOperation.ACQUIRE, time).allowed();
		}

		@Override
		public boolean hasRoom(long time) {
			return decision(StoreOperation.PEEK, time).allowed();
		}

		@Override
		public boolean isUnspent(long time) {
			return decision(StoreOperation.PEEK, time).resetAfterMicros() == 0;
		}

		private LimitDecision decision(StoreOperation operation, long time) {
			return this.definition.execute(operation, this.permit, time);
		}

	}

	/**
	 * The decisions of a log, as its definition is slow for a long one. A request is
	 * admitted if it fits next to the charges of the last period.
	 */
	final class OfALog implements ExpectedDecisions {

		private final Limit limit;

		private final Deque<Long> charges = new ArrayDeque<>();

		private OfALog(Limit limit) {
			this.limit = limit;
		}

		@Override
		public boolean tryAcquire(long time) {
			boolean admitted = hasRoom(time);
			if (admitted) {
				this.charges.add(time);
			}
			return admitted;
		}

		@Override
		public boolean hasRoom(long time) {
			return spent(time) < this.limit.rate().permits();
		}

		@Override
		public boolean isUnspent(long time) {
			return spent(time) == 0;
		}

		private int spent(long time) {
			this.charges.removeIf((charge) -> charge <= time - this.limit.rate().periodMicros());
			return this.charges.size();
		}

	}

}
