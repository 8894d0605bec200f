package io.github.ratelimit;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.Clause;

/**
 * A named set of limits that must all have room, who is limited by them, and on which
 * terms. Immutable.
 */
public final class Policy {

	/** The key of a policy that limits everyone together. */
	public static final String EVERYONE = "global";

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

	private final String name;

	private final List<Limit> limits;

	private final List<String> keys;

	private final Terms terms;

	private final List<Clause> clauses;

	private final long longestWait;

	/**
	 * A policy on the standard terms.
	 * @param name letters, digits, dots, underscores and hyphens, up to 64; it is part of
	 * response headers, metrics and stored keys
	 * @param limits at least one, no two at the same rate
	 * @param keys who is limited, each as in {@link RateLimited#key}: the first that
	 * answers
	 */
	public Policy(String name, List<Limit> limits, List<String> keys) {
		this(name, limits, keys, Terms.STANDARD);
	}

	private Policy(String name, List<Limit> limits, List<String> keys, Terms terms) {
		this.name = name;
		this.limits = List.copyOf(limits);
		this.keys = List.copyOf(keys);
		this.terms = terms;
		requireName(name);
		requireDistinct(name, this.limits);
		if (keys.isEmpty()) {
			throw new IllegalArgumentException("policy '" + name + "' must have at least one key");
		}
		this.clauses = IntStream.range(0, limits.size()).mapToObj(this::clause).toList();
		this.longestWait = limits.stream().mapToLong((limit) -> limit.formula().longestWait()).min().orElseThrow();
		waited(terms.maxWait());
		limits.forEach((limit) -> limit.share(terms.localShare()));
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
		return new Policy(this.name, this.limits, this.keys, terms);
	}

	/**
	 * What the policy is known by.
	 * @return letters, digits, dots, underscores and hyphens, up to 64
	 */
	public String name() {
		return this.name;
	}

	/**
	 * The limits, all of which must have room.
	 * @return at least one
	 */
	public List<Limit> limits() {
		return this.limits;
	}

	/**
	 * Who is limited: the first that answers.
	 * @return at least one, each as in {@link RateLimited#key}
	 */
	public List<String> keys() {
		return this.keys;
	}

	/**
	 * How the limits are applied.
	 * @return the terms
	 */
	public Terms terms() {
		return this.terms;
	}

	/**
	 * The limits as stores apply them.
	 * @return one for each limit, in their order
	 */
	List<Clause> clauses() {
		return this.clauses;
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

	/** Answers a wait in microseconds, or throws if it cannot be counted exactly. */
	long waited(Duration maxWait) {
		long micros = TimeUnit.MICROSECONDS.convert(maxWait);
		if (micros > this.longestWait) {
			throw new IllegalArgumentException("a maximum wait in policy '" + this.name + "' is at most "
					+ Duration.of(this.longestWait, ChronoUnit.MICROS) + ", was " + maxWait);
		}
		return micros;
	}

	/** Throws if no wait would make a cost fit. */
	void requireSatisfiable(long cost) {
		for (Clause clause : this.clauses) {
			long most = clause.limit().burst() - clause.reserve();
			if (cost > most) {
				throw new UnsatisfiableCostException(this.name, most,
						((clause.reserve() > 0) ? "what the reserve leaves of " : "") + "the burst of limit "
								+ clause.limit(),
						cost);
			}
		}
	}

	private Clause clause(int position) {
		Limit limit = this.limits.get(position);
		long reserve = -Math.floorDiv(-Math.multiplyExact(limit.burst(), this.terms.reserve()), 100L);
		if (reserve >= limit.burst()) {
			throw new IllegalArgumentException("a reserve of " + this.terms.reserve() + "% leaves nothing of limit "
					+ limit + " in policy '" + this.name + "', whose burst is " + limit.burst());
		}
		String bucket = this.terms.bucket();
		return new Clause(this.name, (bucket != null) ? bucket : this.name, position, limit, reserve);
	}

	private static void requireName(String name) {
		if (!NAME.matcher(name).matches()) {
			throw new IllegalArgumentException(
					"a policy's name is 1 to 64 letters, digits, dots, underscores or hyphens, was '" + name + "'");
		}
	}

	private static void requireDistinct(String name, List<Limit> limits) {
		if (limits.isEmpty()) {
			throw new IllegalArgumentException("policy '" + name + "' must have at least one limit");
		}
		HashSet<String> rates = new HashSet<>();
		for (Limit limit : limits) {
			if (!rates.add(limit.toString())) {
				throw new IllegalArgumentException("policy '" + name + "' lists the limit " + limit + " twice");
			}
		}
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof Policy that && this.name.equals(that.name) && this.limits.equals(that.limits)
				&& this.keys.equals(that.keys) && this.terms.equals(that.terms);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.name, this.limits, this.keys, this.terms);
	}

	@Override
	public String toString() {
		return this.name + " " + this.limits;
	}

}
