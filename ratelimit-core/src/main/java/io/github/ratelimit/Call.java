package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.RateLimitStore;

/**
 * What a call asks for, worked out by its policies.
 *
 * @param asked the charges as they were asked for
 * @param charged the same with the costs that the policies make of them
 * @param debits what all of them ask of each limit, no two of the same count
 */
record Call(List<Charge> asked, List<Charge> charged, List<Debit> debits) {

	/** Throws IllegalArgumentException where no decision can come of it. */
	static Call of(List<Charge> charges, Policies policies) {
		if (charges.isEmpty()) {
			throw new IllegalArgumentException("'charges' must not be empty");
		}
		List<Charge> charged = new ArrayList<>(charges.size());
		for (Charge charge : charges) {
			long cost = policies.get(charge.policy()).charged(charge.cost());
			charged.add((cost == charge.cost()) ? charge
					: new Charge(charge.policy(), charge.key(), cost, charge.maxWait()));
		}
		return new Call(charges, charged, debits(merged(charged), policies));
	}

	/**
	 * What the call holds of a store.
	 * @param debits those that were decided on, in the order of the decision's limits
	 */
	Hold hold(Decision decision, List<Debit> debits, RateLimitStore store) {
		return new Hold(decision,
				this.charged.stream().map((charge) -> new Hold.Part(charge, debits, decision)).toList(), store);
	}

	private static List<Debit> debits(Collection<Charge> charges, Policies policies) {
		List<Debit> debits = new ArrayList<>();
		Set<List<String>> counts = new HashSet<>();
		for (Charge charge : charges) {
			Policy policy = policies.get(charge.policy());
			policy.requireSatisfiable(charge.cost());
			if (charges.size() > 1 && !counts.add(List.of(policy.clauses().get(0).bucket(), charge.key()))) {
				throw new IllegalArgumentException("policy '" + policy.name()
						+ "' shares its counts with another that the call charges too: charge one of them");
			}
			addDebits(debits, policy, charge);
		}
		return debits;
	}

	private static void addDebits(List<Debit> debits, Policy policy, Charge charge) {
		Duration maxWait = charge.maxWait();
		long wait = policy.waited((maxWait != null) ? maxWait : policy.terms().maxWait());
		for (Clause clause : policy.clauses()) {
			debits.add(new Debit(clause, charge.key(), charge.cost(), wait));
		}
	}

	private static Collection<Charge> merged(List<Charge> charges) {
		if (charges.size() == 1) {
			return charges;
		}
		Map<List<String>, Charge> merged = new LinkedHashMap<>();
		for (Charge charge : charges) {
			merged.merge(List.of(charge.policy(), charge.key()), charge, Call::sum);
		}
		return merged.values();
	}

	/** Together they wait no longer than the first is willing to. */
	private static Charge sum(Charge first, Charge second) {
		return new Charge(first.policy(), first.key(), Math.addExact(first.cost(), second.cost()), first.maxWait());
	}

}
