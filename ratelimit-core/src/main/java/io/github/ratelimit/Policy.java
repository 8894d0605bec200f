package io.github.ratelimit;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.Clause;
import org.jspecify.annotations.Nullable;

/**
 * A named set of limits that must all have room, who is limited by them, and on which
 * terms. Callers with a plan have other limits on the same counts. Immutable.
 */
public final class Policy {

	/** The key of a policy that limits everyone together. */
	public static final String EVERYONE = "global";

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

	private final String name;

	private final Callers callers;

	private final Terms terms;

	private final Plans plans;

	private final PlanClauses standardClauses;

	private final Map<String, PlanClauses> planClauses = new HashMap<>();

	private final long longestWait;

	private final long standardWait;

	/**
	 * A policy on the standard terms.
	 * @param name letters, digits, dots, underscores and hyphens, up to 64; it is part of
	 * response headers, metrics and stored keys
	 * @param limits at least one and at most 100, no two at the same rate
	 * @param keys who is limited, each as in {@link RateLimited#key}: the first that
	 * answers
	 */
	public Policy(String name, List<Limit> limits, List<String> keys) {
		this(name, new Callers(keys), Terms.STANDARD, new Plans(new Plan(limits, Mode.ENFORCE), Map.of()));
	}

	private Policy(String name, Callers callers, Terms terms, Plans plans) {
		this.name = name;
		this.callers = callers;
		this.terms = terms;
		this.plans = plans;
		if (!NAME.matcher(name).matches()) {
			throw new IllegalArgumentException(
					"a policy's name is 1 to 64 letters, digits, dots, underscores or hyphens, was '" + name + "'");
		}
		if (callers.keys().isEmpty()) {
			throw new IllegalArgumentException("policy '" + name + "' must have at least one key");
		}
		this.standardClauses = PlanClauses.of(name, terms, plans.standard());
		plans.byName().forEach((plan, offered) -> this.planClauses.put(plan, PlanClauses.of(name, terms, offered)));
		this.longestWait = plans.longestWait();
		this.standardWait = waited(terms.maxWait());
	}

	/**
	 * This policy on other terms.
	 * @param terms how the limits are applied
	 * @return the policy
	 * @throws IllegalArgumentException if a limit's burst is no more than the reserve, or
	 * calls may wait for longer than can be counted: half a window of the calendar, or
	 * about as long as 2^53 parts of a permit take to refill; or if the local share of a
	 * limit cannot be counted exactly
	 */
	public Policy withTerms(Terms terms) {
		return new Policy(this.name, this.callers, terms, this.plans);
	}

	/**
	 * This policy for callers who are told apart in another way.
	 * @param callers how
	 * @return the policy
	 */
	public Policy withCallers(Callers callers) {
		return new Policy(this.name, callers, this.terms, this.plans);
	}

	/**
	 * This policy with its limits in another mode, and others beside them to be tried.
	 * Both are for callers without a plan.
	 * @param mode what the limits do
	 * @param candidates limits in shadow, on counts of their own; empty for none
	 * @return the policy
	 */
	public Policy withMode(Mode mode, List<Limit> candidates) {
		Plan standard = new Plan(limits(), mode, candidates);
		return new Policy(this.name, this.callers, this.terms, new Plans(standard, plans()));
	}

	/**
	 * This policy with plans. Their limits charge the counts of the policy's own, so that
	 * a caller whose plan changes has spent what was spent before.
	 * @param plans by name, each with as many limits as this policy
	 * @return the policy
	 * @throws IllegalArgumentException if a plan has another number of limits
	 */
	public Policy withPlans(Map<String, Plan> plans) {
		return new Policy(this.name, this.callers, this.terms, new Plans(standard(), plans));
	}

	/**
	 * This policy with limits in the place of its own and of those of its plans, each in
	 * its mode. Permits are taken in advance only if these limits let them.
	 * @param limits as many as this policy has
	 * @return the policy
	 * @throws IllegalArgumentException if there are more or fewer
	 */
	public Policy withLimits(List<Limit> limits) {
		Terms terms = PlanClauses.areLeasable(limits, this.terms) ? this.terms : this.terms.withLease(0);
		return new Policy(this.name, this.callers, terms, this.plans.withLimits(limits));
	}

	/**
	 * What the policy is known by.
	 * @return letters, digits, dots, underscores and hyphens, up to 64
	 */
	public String name() {
		return this.name;
	}

	/**
	 * The limits of callers without a plan, all of which must have room.
	 * @return at least one
	 */
	public List<Limit> limits() {
		return standard().limits();
	}

	/**
	 * Who is limited: the first that answers.
	 * @return at least one, each as in {@link RateLimited#key}
	 */
	public List<String> keys() {
		return this.callers.keys();
	}

	/**
	 * How callers are told apart.
	 * @return the words for it
	 */
	public Callers callers() {
		return this.callers;
	}

	/**
	 * How the limits are applied.
	 * @return the terms
	 */
	public Terms terms() {
		return this.terms;
	}

	/**
	 * What callers have who have no plan, or one that is not known here.
	 * @return the policy's own limits
	 */
	public Plan standard() {
		return this.plans.standard();
	}

	/**
	 * What callers have who have a plan.
	 * @return plans by name; may be empty
	 */
	public Map<String, Plan> plans() {
		return this.plans.byName();
	}

	/**
	 * Checks that callers without a plan can be admitted at a cost.
	 * @param cost of a call, at least 0
	 * @throws UnsatisfiableCostException if no wait would make it fit
	 */
	public void requireSatisfiable(long cost) {
		this.standardClauses.requireSatisfiable(charged(cost));
	}

	/** The limits of a plan, or of callers who have none. */
	PlanClauses clauses(@Nullable String plan) {
		return (plan != null) ? this.planClauses.getOrDefault(plan, this.standardClauses) : this.standardClauses;
	}

	/** One for each count that a key can have. */
	List<Clause> everyClause() {
		Plan plan = new Plan(limits(), Mode.SHADOW, standard().candidates());
		return PlanClauses.of(this.name, this.terms, plan).shadowed();
	}

	/** Throws what is wrong with a cost, or answers what is charged for it. */
	long charged(long cost) {
		Terms.MaxCost most = this.terms.maxCost();
		if (most != null && cost > most.permits() && !most.clamps()) {
			throw new UnsatisfiableCostException(this.name, most.permits(), "the maximum cost", cost);
		}
		return clamped(cost);
	}

	/** What is charged for a cost that is not refused. */
	long clamped(long cost) {
		Terms.MaxCost most = this.terms.maxCost();
		return (most != null && most.clamps()) ? Math.min(cost, most.permits()) : cost;
	}

	/** A wait in microseconds, the policy's own for none; throws if it is too long. */
	long waited(@Nullable Duration maxWait) {
		if (maxWait == null) {
			return this.standardWait;
		}
		long micros = TimeUnit.MICROSECONDS.convert(maxWait);
		if (micros > this.longestWait) {
			throw new IllegalArgumentException("a maximum wait in policy '" + this.name + "' is at most "
					+ Duration.of(this.longestWait, ChronoUnit.MICROS) + ", was " + maxWait);
		}
		return micros;
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof Policy that && this.name.equals(that.name) && this.plans.equals(that.plans)
				&& this.callers.equals(that.callers) && this.terms.equals(that.terms);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.name, this.plans, this.callers, this.terms);
	}

	@Override
	public String toString() {
		return this.name + " " + limits();
	}

}
