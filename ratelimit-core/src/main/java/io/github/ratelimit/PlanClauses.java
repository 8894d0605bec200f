package io.github.ratelimit;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.Clause;

/**
 * The limits of a plan as stores apply them.
 *
 * @param enforced those that deny
 * @param shadowed those that only tell whether they would
 * @param most the highest cost that all enforced ones can ever admit
 */
record PlanClauses(List<Clause> enforced, List<Clause> shadowed, long most) {

	/**
	 * The position of the first candidate, so that limits can be added to a policy
	 * without taking over a candidate's count.
	 */
	static final int FIRST_CANDIDATE = 100;

	PlanClauses(List<Clause> enforced, List<Clause> shadowed) {
		this(enforced, shadowed, enforced.stream().mapToLong(Clause::most).min().orElse(Long.MAX_VALUE));
	}

	static PlanClauses of(String policy, Terms terms, Plan plan) {
		List<Clause> limits = clauses(policy, terms, plan.limits(), 0);
		List<Clause> candidates = clauses(policy, terms, plan.candidates(), FIRST_CANDIDATE);
		return switch (plan.mode()) {
			case ENFORCE -> new PlanClauses(limits, candidates);
			case SHADOW -> new PlanClauses(List.of(), Stream.concat(limits.stream(), candidates.stream()).toList());
			case OFF -> new PlanClauses(List.of(), List.of());
		};
	}

	boolean isEmpty() {
		return this.enforced.isEmpty() && this.shadowed.isEmpty();
	}

	/** Throws if no wait would make a cost fit. */
	void requireSatisfiable(long cost) {
		if (cost > this.most) {
			throw unsatisfiable(cost);
		}
	}

	private UnsatisfiableCostException unsatisfiable(long cost) {
		Clause tight = this.enforced.stream().filter((clause) -> cost > clause.most()).findFirst().orElseThrow();
		String whole = "the burst of limit " + tight.limit();
		return new UnsatisfiableCostException(tight.policy(), tight.most(),
				(tight.reserve() > 0) ? "what the reserve leaves of " + whole : whole, cost);
	}

	/**
	 * Whether permits of limits may be taken in advance, as the terms of a policy say.
	 */
	static boolean areLeasable(List<Limit> limits, Terms terms) {
		return limits.stream()
			.allMatch(
					(limit) -> limit.formula().isLeasable() && terms.lease() <= limit.burst() - reserve(limit, terms));
	}

	private static List<Clause> clauses(String policy, Terms terms, List<Limit> limits, int first) {
		return IntStream.range(0, limits.size())
			.mapToObj((index) -> clause(policy, terms, limits.get(index), first + ofPeriod(limits, index)))
			.toList();
	}

	/** How many limits before one are of its period. */
	private static int ofPeriod(List<Limit> limits, int index) {
		long period = limits.get(index).periodMicros();
		return (int) limits.subList(0, index).stream().filter((limit) -> limit.periodMicros() == period).count();
	}

	private static Clause clause(String policy, Terms terms, Limit limit, int position) {
		long reserve = reserve(limit, terms);
		if (reserve >= limit.burst()) {
			throw new IllegalArgumentException("a reserve of " + terms.reserve() + "% leaves nothing of limit " + limit
					+ " in policy '" + policy + "', whose burst is " + limit.burst());
		}
		String bucket = terms.bucket();
		Clause clause = new Clause(policy, (bucket != null) ? bucket : policy, position, limit, reserve, terms.lease());
		requireLeasable(clause, terms);
		clause.share(terms.localShare()); // which throws if it cannot be counted
		return clause;
	}

	private static long reserve(Limit limit, Terms terms) {
		return -Math.floorDiv(-Math.multiplyExact(limit.burst(), terms.reserve()), 100L);
	}

	private static void requireLeasable(Clause clause, Terms terms) {
		if (clause.lease() == 0) {
			return;
		}
		Limit limit = clause.limit();
		String lease = "a lease of " + clause.lease() + " in policy '" + clause.policy() + "' ";
		if (clause.lease() > clause.most()) {
			throw new IllegalArgumentException(
					lease + "is more than limit " + limit + " can ever admit, " + clause.most());
		}
		if (!limit.formula().isLeasable()) {
			throw new IllegalArgumentException(
					lease + "is not for a " + limit.algorithm().id() + ", whose permits cannot be taken in advance");
		}
		if (!terms.maxWait().isZero()) {
			throw new IllegalArgumentException(lease + "is not for calls that wait in line");
		}
	}

}
