package io.github.ratelimit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.RateLimitStore;

/**
 * What a call asks for, worked out by its policies.
 *
 * @param charges all charges of the call, with the costs that the policies make of them
 * @param skipped those for which no limit is asked, as they were asked for
 * @param asked the others, as they were asked for
 * @param debits what these ask of each limit, no two of the same count; those in shadow
 * are the last
 */
record Call(List<Charge> charges, List<Charge> skipped, List<Charge> asked, List<Debit> debits) {

	/** Throws IllegalArgumentException where no decision can come of it. */
	static Call of(List<Charge> charges, ChargedPolicies policies) {
		return switch (charges.size()) {
			case 0 -> throw new IllegalArgumentException("'charges' must not be empty");
			case 1 -> single(List.copyOf(charges), policies);
			default -> several(charges, policies);
		};
	}

	/** As most calls are: nothing to tell apart, and nothing to add up. */
	private static Call single(List<Charge> asked, ChargedPolicies policies) {
		Charge charge = asked.get(0);
		Policy policy = policies.of(charge);
		if (isSkipped(charge, policy)) {
			return new Call(asked, asked, List.of(), List.of());
		}
		Charge counted = charge.costing(policy.charged(charge.cost()));
		boolean asAsked = counted.cost() == charge.cost();
		return new Call(asAsked ? asked : List.of(counted), List.of(), asked, debits(counted, policy));
	}

	private static Call several(List<Charge> charges, ChargedPolicies policies) {
		List<Charge> charged = new ArrayList<>(charges.size());
		List<Charge> skipped = new ArrayList<>();
		List<Charge> asked = new ArrayList<>(charges.size());
		List<Charge> counted = new ArrayList<>(charges.size());
		for (Charge charge : charges) {
			Policy policy = policies.of(charge);
			if (isSkipped(charge, policy)) {
				skipped.add(charge);
				charged.add(charge);
			}
			else {
				asked.add(charge);
				counted.add(charge.costing(policy.charged(charge.cost())));
				charged.add(counted.get(counted.size() - 1));
			}
		}
		return new Call(charged, skipped, asked, debits(merged(counted), policies));
	}

	private static boolean isSkipped(Charge charge, Policy policy) {
		return charge.exempt() || policy.clauses(charge.plan()).isEmpty();
	}

	/**
	 * What the call holds of a store.
	 * @param debits those that were decided on, in the order of the decision's limits
	 */
	Hold hold(Decision decision, List<Debit> debits, RateLimitStore store) {
		return new Hold(decision, this.charges, debits, store);
	}

	/** Whether a limit may make the call wait. */
	boolean mayWait() {
		for (Debit debit : this.debits) {
			if (debit.time() > 0) {
				return true;
			}
		}
		return false;
	}

	/** This call, not willing to wait for some policies. */
	Call withoutWaitingFor(Predicate<String> policies) {
		return new Call(this.charges, this.skipped, this.asked,
				this.debits.stream()
					.map((debit) -> (debit.time() > 0 && policies.test(debit.clause().policy()))
							? new Debit(debit.clause(), debit.key(), debit.cost(), 0) : debit)
					.toList());
	}

	private static List<Debit> debits(Charge charge, Policy policy) {
		PlanClauses clauses = policy.clauses(charge.plan());
		if (clauses.enforced().size() > 1 || !clauses.shadowed().isEmpty()) {
			List<Debit> debits = new ArrayList<>();
			List<Debit> inShadow = new ArrayList<>();
			add(charge, policy, debits, inShadow);
			debits.addAll(inShadow);
			return debits;
		}
		clauses.requireSatisfiable(charge.cost());
		return List
			.of(new Debit(clauses.enforced().get(0), charge.key(), charge.cost(), policy.waited(charge.maxWait())));
	}

	private static List<Debit> debits(Collection<Charge> charges, ChargedPolicies policies) {
		List<Debit> debits = new ArrayList<>();
		List<Debit> inShadow = new ArrayList<>();
		for (Charge charge : charges) {
			add(charge, policies.of(charge), debits, inShadow);
		}
		debits.addAll(inShadow);
		requireDistinct(debits);
		return debits;
	}

	private static void add(Charge charge, Policy policy, List<Debit> debits, List<Debit> inShadow) {
		PlanClauses clauses = policy.clauses(charge.plan());
		clauses.requireSatisfiable(charge.cost());
		long wait = policy.waited(charge.maxWait());
		for (Clause clause : clauses.enforced()) {
			debits.add(new Debit(clause, charge.key(), charge.cost(), wait));
		}
		for (Clause clause : clauses.shadowed()) {
			inShadow.add(inShadow(clause, charge, wait));
		}
	}

	/**
	 * A cost that a limit can never admit is its burst: it cannot be refused in shadow.
	 */
	private static Debit inShadow(Clause clause, Charge charge, long wait) {
		return Debit.inShadow(clause, charge.key(), Math.min(charge.cost(), clause.most()), wait);
	}

	private static void requireDistinct(List<Debit> debits) {
		Set<List<Object>> counts = new HashSet<>();
		for (Debit debit : debits) {
			Clause clause = debit.clause();
			if (!counts.add(List.of(clause.bucket(), clause.limit().periodMicros(), clause.position(), debit.key()))) {
				throw new IllegalArgumentException("policy '" + clause.policy()
						+ "' shares its counts with another that the call charges too: charge one of them");
			}
		}
	}

	private static Collection<Charge> merged(List<Charge> charges) {
		Map<List<String>, Charge> merged = new LinkedHashMap<>();
		for (Charge charge : charges) {
			merged.merge(List.of(charge.policy(), charge.key()), charge, Call::sum);
		}
		return merged.values();
	}

	/**
	 * Together they wait no longer than the first is willing to. A sum beyond all numbers
	 * is beyond all limits too.
	 */
	private static Charge sum(Charge first, Charge second) {
		long room = Long.MAX_VALUE - first.cost();
		return first.costing(first.cost() + Math.min(second.cost(), room));
	}

}
