package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.policy.CallerSelectors.OwnPermits;
import io.github.ratelimit.policy.EnforcedShare;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Plan;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;

/**
 * Random policies of rates, with plans, candidates, shared counts and all options that
 * change a decision.
 */
final class RandomPolicies {

	private static final List<Algorithm> ALGORITHMS = Algorithm.rates().toList();

	private static final List<Duration> PERIODS = List.of(Duration.ofMillis(500), Duration.ofSeconds(1),
			Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofHours(1));

	private static final List<String> CALENDARS = List.of("1m align minute", "1h align hour zone Asia/Kolkata",
			"1d align day zone Europe/Berlin", "7d align week", "30d align month zone Asia/Tokyo");

	private final Random random;

	private final String prefix;

	/**
	 * Creates a source of policies.
	 * @param prefix the start of all names, so that counts of other policies stay apart
	 */
	RandomPolicies(Random random, String prefix) {
		this.random = random;
		this.prefix = prefix;
	}

	/**
	 * Returns up to four policies, of which the second may share the first's counts, or a
	 * bucket alone, which stays busy.
	 */
	List<Policy> next() {
		if (isOneOf(4)) {
			return List.of(new Policy(this.prefix + "busy", List.of(bucket()), List.of("global")));
		}
		List<Policy> policies = new ArrayList<>(List.of(policy(0)));
		if (this.random.nextInt(3) == 0) {
			policies.add(sharing(policies.get(0)));
		}
		int size = policies.size() + this.random.nextInt(3);
		while (policies.size() < size) {
			policies.add(policy(policies.size()));
		}
		return policies;
	}

	private Limit bucket() {
		Duration period = PERIODS.get(this.random.nextInt(PERIODS.size()));
		return Limit.of(Algorithm.TOKEN_BUCKET, new Rate(20 + this.random.nextInt(2000), period));
	}

	private Policy policy(int number) {
		List<String> kinds = new ArrayList<>();
		for (int more = this.random.nextInt(3); more >= 0; more--) {
			kinds.add(kind());
		}
		Plan standard = plan(kinds);
		Map<String, Plan> plans = new LinkedHashMap<>();
		for (int plan = this.random.nextInt(3); plan > 0; plan--) {
			plans.put("plan-" + plan, plan(kinds));
		}
		Policy policy = new Policy(this.prefix + number, standard.limits(), List.of("global"))
			.withMode(standard.mode(), standard.candidates())
			.withPlans(plans);
		policy = policy.withOptions(options(policy));
		return (kinds.size() == 1 && isOneOf(2))
				? policy.withCallerSelectors(policy.callers().withPermits(permits(policy))) : policy;
	}

	/** Returns permits that calls tell, up to about as many as the policy has. */
	private OwnPermits permits(Policy policy) {
		return new OwnPermits("#permits", 1 + this.random.nextLong(2 * policy.limits().get(0).rate().permits()));
	}

	/** Shares the counts, and leaves a part of each burst to the other policy. */
	private Policy sharing(Policy policy) {
		Policy sharing = new Policy(policy.name() + "-shared", policy.limits(), List.of("global"))
			.withPlans(policy.plans());
		boolean isLarge = limits(policy).allMatch((limit) -> limit.burst() > 4);
		int reserve = isLarge ? this.random.nextInt(70) : 0;
		return sharing.withOptions(options(policy).sharing(policy.name(), reserve));
	}

	private PolicyOptions options(Policy policy) {
		PolicyOptions options = PolicyOptions.STANDARD.withHidden(isOneOf(10))
			.withStoreFailure(OnStoreFailure.DENY, 100);
		long longest = limits(policy).mapToLong((limit) -> limit.formula().longestWait()).min().orElseThrow();
		if (isOneOf(2)) {
			long period = policy.limits().get(0).periodMicros();
			options = options.withMaxWait(micros(this.random.nextLong(Math.min(longest, 2 * period) + 1)));
		}
		if (isOneOf(6)) {
			options = options.withMaxCost(new PolicyOptions.MaxCost(1 + this.random.nextInt(6), isOneOf(2)));
		}
		return isOneOf(10) ? options.withEnforced(new EnforcedShare(this.random.nextInt(101))) : options;
	}

	/** Returns a plan with a limit of each kind, all different. */
	private Plan plan(List<String> kinds) {
		EnforcementMode mode = isOneOf(12) ? EnforcementMode.OFF
				: isOneOf(8) ? EnforcementMode.SHADOW : EnforcementMode.ENFORCE;
		List<Limit> limits = new ArrayList<>();
		for (String kind : kinds) {
			Limit limit = limit(kind);
			while (isListed(limit, limits)) {
				limit = limit(kind);
			}
			limits.add(limit);
		}
		return new Plan(limits, mode, isOneOf(3) ? List.of(limit(isOneOf(2) ? kinds.get(0) : kind())) : List.of());
	}

	private static boolean isListed(Limit limit, List<Limit> limits) {
		return limits.stream().anyMatch((other) -> other.toString().equals(limit.toString()));
	}

	/** Returns a period, with the calendar if windows follow it. */
	private String kind() {
		return isOneOf(5) ? CALENDARS.get(this.random.nextInt(CALENDARS.size()))
				: new Rate(1, PERIODS.get(this.random.nextInt(PERIODS.size()))).toString().substring(2);
	}

	/**
	 * Returns a limit of a kind, mostly by the calendar if the kind has one. Each counts
	 * in microseconds.
	 */
	private Limit limit(String kind) {
		long permits = 1L
				+ ((isOneOf(8) && !kind.contains("d ")) ? this.random.nextInt(5000) : this.random.nextInt(30));
		if (kind.contains(" ") && !isOneOf(6)) {
			return Limit.parse(permits + "/" + kind, Algorithm.FIXED_WINDOW);
		}
		Algorithm algorithm = ALGORITHMS.get(this.random.nextInt(ALGORITHMS.size()));
		Limit limit = Limit.of(algorithm, Rate.parse(permits + "/" + kind.split(" ", -1)[0]));
		return isOneOf(2) ? limit : AnyLimit.withBurst(limit, 1 + this.random.nextInt(40));
	}

	/** Returns all limits of a policy. */
	static Stream<Limit> limits(Policy policy) {
		return Stream.concat(Stream.of(policy.standard()), policy.plans().values().stream())
			.flatMap((plan) -> Stream.concat(plan.limits().stream(), plan.candidates().stream()));
	}

	static Duration micros(long micros) {
		return Duration.ofNanos(1000 * micros);
	}

	private boolean isOneOf(int number) {
		return this.random.nextInt(number) == 0;
	}

}
