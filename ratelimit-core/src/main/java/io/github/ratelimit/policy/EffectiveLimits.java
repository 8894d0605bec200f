package io.github.ratelimit.policy;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.PolicyLimit;

/**
 * The limits of a plan as a store applies them, for the limiter. Immutable.
 *
 * @param enforced the limits that deny
 * @param shadowed the limits that only report what they would decide
 * @param highestCost the highest cost that all enforced limits can ever admit; limits on
 * concurrency admit any
 */
public record EffectiveLimits(List<PolicyLimit> enforced, List<PolicyLimit> shadowed, long highestCost) {

	/**
	 * The position of the first candidate, so that limits can be added to a policy
	 * without taking over a candidate's count.
	 */
	static final int FIRST_CANDIDATE = 100;

	/**
	 * The position of the first limit on concurrency, so that none takes over the count
	 * of a rate whose period is its lease.
	 */
	private static final int FIRST_CONCURRENCY = 2 * FIRST_CANDIDATE;

	EffectiveLimits(List<PolicyLimit> enforced, List<PolicyLimit> shadowed) {
		this(enforced, shadowed,
				enforced.stream()
					.filter((limit) -> !limit.limit().isConcurrency())
					.mapToLong(PolicyLimit::highestCost)
					.min()
					.orElse(Long.MAX_VALUE));
	}

	static EffectiveLimits of(String policy, PolicyOptions options, Plan plan) {
		List<PolicyLimit> limits = limits(policy, options, plan.limits(), 0);
		List<PolicyLimit> candidates = limits(policy, options, plan.candidates(), FIRST_CANDIDATE);
		return switch (plan.mode()) {
			case ENFORCE -> new EffectiveLimits(limits, inShadow(candidates));
			case SHADOW ->
				new EffectiveLimits(List.of(), inShadow(Stream.concat(limits.stream(), candidates.stream()).toList()));
			case OFF -> new EffectiveLimits(List.of(), List.of());
		};
	}

	/**
	 * Returns the limits and the candidates of a plan, whatever its mode is, in shadow.
	 */
	static Stream<PolicyLimit> all(String policy, PolicyOptions options, Plan plan) {
		return of(policy, options, new Plan(plan.limits(), EnforcementMode.SHADOW, plan.candidates())).shadowed()
			.stream();
	}

	private static List<PolicyLimit> inShadow(List<PolicyLimit> limits) {
		return limits.stream().map(PolicyLimit::inShadow).toList();
	}

	/**
	 * Returns whether no limit applies.
	 * @return whether there are neither enforced nor shadowed limits
	 */
	public boolean isEmpty() {
		return this.enforced.isEmpty() && this.shadowed.isEmpty();
	}

	/**
	 * Checks that a cost can be admitted.
	 * @param cost permits
	 * @throws UnsatisfiableCostException if no wait would make it fit
	 */
	public void requireSatisfiable(long cost) {
		if (cost > this.highestCost) {
			throw unsatisfiable(cost);
		}
	}

	private UnsatisfiableCostException unsatisfiable(long cost) {
		PolicyLimit tight = this.enforced.stream()
			.filter((limit) -> !limit.limit().isConcurrency() && cost > limit.highestCost())
			.findFirst()
			.orElseThrow();
		String whole = "the burst of limit " + tight.limit();
		UnsatisfiableCostException refusal = new UnsatisfiableCostException(tight.policy(), tight.highestCost(),
				(tight.reserve() > 0) ? "what the reserve leaves of " + whole : whole, cost);
		return tight.hidden() ? refusal.withPolicyHidden() : refusal;
	}

	/** Returns whether permits of limits may be prefetched, as the options say. */
	static boolean arePrefetchable(List<Limit> limits, PolicyOptions options) {
		return limits.stream()
			.allMatch((limit) -> limit.formula().isPrefetchable()
					&& options.prefetch() <= limit.burst() - reserve(limit, options));
	}

	private static List<PolicyLimit> limits(String policy, PolicyOptions options, List<Limit> limits, int first) {
		return IntStream.range(0, limits.size())
			.mapToObj((index) -> limit(policy, options, limits.get(index), first + position(limits, index)))
			.toList();
	}

	/** Returns a limit's position among those of its period, rates and others apart. */
	private static int position(List<Limit> limits, int index) {
		Limit limit = limits.get(index);
		long before = limits.subList(0, index)
			.stream()
			.filter((other) -> other.periodMicros() == limit.periodMicros()
					&& other.isConcurrency() == limit.isConcurrency())
			.count();
		return (limit.isConcurrency() ? FIRST_CONCURRENCY : 0) + (int) before;
	}

	private static PolicyLimit limit(String policy, PolicyOptions options, Limit limit, int position) {
		long reserve = reserve(limit, options);
		if (reserve >= limit.burst()) {
			throw new IllegalArgumentException("a reserve of " + options.reserve() + "% leaves nothing of limit "
					+ limit + " in policy '" + policy + "', whose burst is " + limit.burst());
		}
		PolicyOptions.SharedCounter shared = options.sharedCounter();
		PolicyLimit applied = new PolicyLimit(policy, (shared != null) ? shared.policy() : policy, position, limit,
				reserve, options.prefetch(), false, options.hidden());
		requirePrefetchable(applied, options);
		options.localShare().of(applied, 1); // throws if it cannot be counted
		return applied;
	}

	private static long reserve(Limit limit, PolicyOptions options) {
		return -Math.floorDiv(-Math.multiplyExact(limit.burst(), options.reserve()), 100L);
	}

	private static void requirePrefetchable(PolicyLimit applied, PolicyOptions options) {
		if (applied.prefetch() == 0) {
			return;
		}
		Limit limit = applied.limit();
		String prefetch = "a prefetch of " + applied.prefetch() + " in policy '" + applied.policy() + "' ";
		if (applied.prefetch() > applied.highestCost()) {
			throw new IllegalArgumentException(
					prefetch + "is more than limit " + limit + " can ever admit, " + applied.highestCost());
		}
		if (!limit.formula().isPrefetchable()) {
			throw new IllegalArgumentException(
					prefetch + "is not for " + (limit.isConcurrency() ? limit : "a " + limit.algorithm().id())
							+ ", whose permits cannot be taken in advance");
		}
		if (!options.maxWait().isZero()) {
			throw new IllegalArgumentException(prefetch + "is not for calls that wait for their turn");
		}
	}

}
