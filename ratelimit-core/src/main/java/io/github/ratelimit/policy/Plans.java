package io.github.ratelimit.policy;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Bounds;
import io.github.ratelimit.algorithm.Limit;

/**
 * The limits of a policy, by plan. Immutable.
 *
 * @param standard the limits of callers without a plan
 * @param byName the limits of callers with one
 */
record Plans(Plan standard, Map<String, Plan> byName) {

	Plans {
		byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
		requireDistinct(standard.limits());
		byName.forEach((name, plan) -> requireAlike("plan '" + name + "'", plan.limits(), standard));
	}

	/** Returns these plans, each in its mode, with other limits. */
	Plans withLimits(List<Limit> limits) {
		Map<String, Plan> others = new LinkedHashMap<>();
		this.byName.forEach((name, plan) -> others.put(name, new Plan(limits, plan.mode())));
		requireAlike("an override", limits, this.standard);
		return new Plans(new Plan(limits, this.standard.mode(), this.standard.candidates()), others);
	}

	/** Returns these plans, each in its mode, with another number of permits. */
	Plans withPermits(long permits) {
		Map<String, Plan> others = new LinkedHashMap<>();
		this.byName.forEach((name, plan) -> others.put(name, plan.withPermits(permits)));
		return new Plans(this.standard.withPermits(permits), others);
	}

	/** Returns these plans with all limits that deny calls in shadow instead. */
	Plans inShadow() {
		Map<String, Plan> others = new LinkedHashMap<>();
		this.byName.forEach((name, plan) -> others.put(name, plan.inShadow()));
		return new Plans(this.standard.inShadow(), others);
	}

	/** Returns whether a limit denies calls. */
	boolean areEnforced() {
		return Stream.concat(Stream.of(this.standard), this.byName.values().stream())
			.anyMatch((plan) -> plan.mode() == EnforcementMode.ENFORCE);
	}

	/** Returns the limits of all plans, without candidates. */
	List<Limit> limits() {
		return Stream.concat(Stream.of(this.standard), this.byName.values().stream())
			.flatMap((plan) -> plan.limits().stream())
			.toList();
	}

	/**
	 * Returns the longest wait that all limits can count. For those on concurrency, calls
	 * wait without a turn that would have to be counted.
	 */
	long longestWait() {
		return Stream.concat(Stream.of(this.standard), this.byName.values().stream())
			.flatMap((plan) -> Stream.concat(plan.limits().stream(), plan.candidates().stream()))
			.filter((limit) -> !limit.isConcurrency())
			.mapToLong((limit) -> limit.formula().longestWait())
			.min()
			.orElse(Bounds.LONGEST_WAIT);
	}

	/** Returns whether no limit has a cost. */
	boolean areOnConcurrencyAlone() {
		return limits().stream().allMatch(Limit::isConcurrency);
	}

	private static void requireAlike(String which, List<Limit> limits, Plan standard) {
		if (limits.size() != standard.limits().size()) {
			throw new IllegalArgumentException(which + " must have one limit in the place of each of "
					+ standard.limits() + ", and has " + limits);
		}
		requireDistinct(limits);
	}

	private static void requireDistinct(List<Limit> limits) {
		if (limits.isEmpty() || limits.size() > EffectiveLimits.FIRST_CANDIDATE) {
			throw new IllegalArgumentException("there must be at least one limit, and at most "
					+ EffectiveLimits.FIRST_CANDIDATE + ", and there are " + limits.size());
		}
		HashSet<String> rates = new HashSet<>();
		for (Limit limit : limits) {
			if (!rates.add(limit.toString())) {
				throw new IllegalArgumentException("the limit " + limit + " is listed twice");
			}
		}
	}

}
