package io.github.ratelimit;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Limit;

/**
 * The limits that a policy has for its callers. Immutable.
 *
 * @param standard for those without a plan
 * @param byName for those with one
 */
record Plans(Plan standard, Map<String, Plan> byName) {

	Plans {
		byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
		requireDistinct(standard.limits());
		byName.forEach((name, plan) -> requireAlike("plan '" + name + "'", plan.limits(), standard));
	}

	/** These plans, each in its mode, with other limits. */
	Plans withLimits(List<Limit> limits) {
		Map<String, Plan> others = new LinkedHashMap<>();
		this.byName.forEach((name, plan) -> others.put(name, new Plan(limits, plan.mode())));
		requireAlike("an override", limits, this.standard);
		return new Plans(new Plan(limits, this.standard.mode(), this.standard.candidates()), others);
	}

	/** The longest wait that all limits can count. */
	long longestWait() {
		return Stream.concat(Stream.of(this.standard), this.byName.values().stream())
			.flatMap((plan) -> Stream.concat(plan.limits().stream(), plan.candidates().stream()))
			.mapToLong((limit) -> limit.formula().longestWait())
			.min()
			.orElseThrow();
	}

	private static void requireAlike(String which, List<Limit> limits, Plan standard) {
		if (limits.size() != standard.limits().size()) {
			throw new IllegalArgumentException(which + " must have one limit in the place of each of "
					+ standard.limits() + ", and has " + limits);
		}
		requireDistinct(limits);
	}

	private static void requireDistinct(List<Limit> limits) {
		if (limits.isEmpty() || limits.size() > PlanClauses.FIRST_CANDIDATE) {
			throw new IllegalArgumentException("there must be at least one limit, and at most "
					+ PlanClauses.FIRST_CANDIDATE + ", and there are " + limits.size());
		}
		HashSet<String> rates = new HashSet<>();
		for (Limit limit : limits) {
			if (!rates.add(limit.toString())) {
				throw new IllegalArgumentException("the limit " + limit + " is listed twice");
			}
		}
	}

}
