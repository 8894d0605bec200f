package io.github.ratelimit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Formula;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;

/**
 * What makes the cost of a hold what it turned out to be.
 *
 * @param store where the hold was charged
 * @param operation gives back, or charges
 * @param debits by how much
 */
record Settlement(RateLimitStore store, Operation operation, List<Debit> debits) {

	/**
	 * Releases a hold, and answers nothing where its cost was right or it was released
	 * before. A cost beyond all that stores count is the most that they do.
	 */
	static List<Settlement> of(Hold hold, long actual, Policies policies) {
		if (actual < 0) {
			throw new IllegalArgumentException("'actual' must not be negative, was " + actual);
		}
		List<Hold.Part> parts = hold.release();
		long countable = Math.min(actual, Formula.LARGEST);
		ToLongFunction<Charge> lacking = (charge) -> policies.get(charge.policy()).clamped(countable) - charge.cost();
		return Stream
			.of(new Settlement(hold.store(), Operation.GIVE_BACK,
					debits(parts, (charge) -> -lacking.applyAsLong(charge))),
					new Settlement(hold.store(), Operation.CHARGE, debits(parts, lacking)))
			.filter((settlement) -> !settlement.debits().isEmpty())
			.toList();
	}

	/** The positive differences of all parts, those of one count added up. */
	private static List<Debit> debits(List<Hold.Part> parts, ToLongFunction<Charge> difference) {
		Map<Object, Debit> debits = new LinkedHashMap<>();
		for (Hold.Part part : parts) {
			long cost = difference.applyAsLong(part.charge());
			if (cost > 0) {
				part.debits(cost)
					.forEach((debit) -> debits.merge(List.of(debit.clause(), debit.key()), debit, Settlement::sum));
			}
		}
		return new ArrayList<>(debits.values());
	}

	private static Debit sum(Debit one, Debit other) {
		return new Debit(one.clause(), one.key(), one.cost() + other.cost(), one.time());
	}

}
