package io.github.ratelimit.faults;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Definition;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Debits;
import io.github.ratelimit.store.Operation;

/**
 * What the definition of an algorithm says to the calls of one key, in their order.
 */
interface Ruling {

	static Ruling of(Limit limit) {
		return (limit.algorithm() == Algorithm.SLIDING_WINDOW_LOG) ? new OfALog(limit) : new ByDefinition(limit);
	}

	/** Whether a call is admitted at a time. If so, it is charged. */
	boolean admits(long time);

	/** Whether a call would be admitted. */
	boolean hasRoom(long time);

	/** Whether nothing is spent. */
	boolean isUnspent(long time);

	/**
	 * Of any algorithm.
	 */
	final class ByDefinition implements Ruling {

		private final Definition definition;

		private final Debit debit;

		private ByDefinition(Limit limit) {
			this.definition = Definition.of(limit);
			this.debit = Debits.of("hot", List.of(limit), "key", 1).get(0);
		}

		@Override
		public boolean admits(long time) {
			return decision(Operation.ACQUIRE, time).allowed();
		}

		@Override
		public boolean hasRoom(long time) {
			return decision(Operation.PEEK, time).allowed();
		}

		@Override
		public boolean isUnspent(long time) {
			return decision(Operation.PEEK, time).resetAfterMicros() == 0;
		}

		private LimitDecision decision(Operation operation, long time) {
			return this.definition.execute(operation, this.debit, time);
		}

	}

	/**
	 * Of a log, whose definition takes long where it is long: it admits what fits beside
	 * the charges of the last period.
	 */
	final class OfALog implements Ruling {

		private final Limit limit;

		private final Deque<Long> charges = new ArrayDeque<>();

		private OfALog(Limit limit) {
			this.limit = limit;
		}

		@Override
		public boolean admits(long time) {
			boolean admits = hasRoom(time);
			if (admits) {
				this.charges.add(time);
			}
			return admits;
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
