package io.github.ratelimit.spring.ai;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.github.ratelimit.Charge;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.EffectiveLimits;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.spring.key.PolicyKey;
import io.github.ratelimit.store.PolicyLimit;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ConcurrentLruCache;

/**
 * A policy that calls of models charge, in its unit. Thread-safe.
 */
final class ChargedPolicy {

	private static final String MODEL = "model";

	/** Callers to remember, in about 3 MB. */
	private static final int CALLERS = 4096;

	private static final double HOUR = TimeUnit.HOURS.toMicros(1);

	private final String name;

	private final Unit unit;

	private final TokenReserve reserve;

	/** The costs of the callers by their keys, of those that called last. */
	private final ConcurrentLruCache<String, CallerCosts> callerCosts;

	private final Policies policies;

	private final ChatCallers callers;

	/** The key of the policy as it was at the latest call, as policies are replaced. */
	private volatile PolicyKey key;

	/**
	 * Creates a charged policy.
	 * @throws IllegalArgumentException if there is no such policy, if one of its keys is
	 * wrong, or if it can never admit the tokens to reserve
	 */
	ChargedPolicy(String name, Unit unit, TokenReserve reserve, Policies policies, ChatCallers callers) {
		this.name = name;
		this.unit = unit;
		this.reserve = reserve;
		this.callerCosts = new ConcurrentLruCache<>(CALLERS, (key) -> new CallerCosts());
		this.policies = policies;
		this.callers = callers;
		this.key = key(policies.get(name));
		if (Unit.TOKENS.equals(unit)) {
			policies.get(name).requireSatisfiable(reserve.tokens());
		}
	}

	private ChargedPolicy(ChargedPolicy checked, Policies policies) {
		this.name = checked.name;
		this.unit = checked.unit;
		this.reserve = checked.reserve;
		this.callerCosts = checked.callerCosts;
		this.policies = policies;
		this.callers = checked.callers;
		this.key = checked.key;
	}

	/** Returns this policy as it is in effect among others, which are not checked. */
	ChargedPolicy by(Policies policies) {
		return new ChargedPolicy(this, policies);
	}

	/** Returns the policy of a charge. */
	static ChargedPolicy of(List<ChargedPolicy> policies, Charge charge) {
		return policies.stream().filter((policy) -> policy.name.equals(charge.policy())).findFirst().orElseThrow();
	}

	/** Returns the size of a prompt, 0 if none of the policies needs it. */
	static long prompt(List<ChargedPolicy> policies, LongSupplier size) {
		return policies.stream().allMatch(ChargedPolicy::isOfRequests) ? 0 : size.getAsLong();
	}

	String name() {
		return this.name;
	}

	/** Returns whether calls cost one permit each, whatever they use. */
	boolean isOfRequests() {
		return Unit.REQUESTS.equals(this.unit);
	}

	/**
	 * Returns the charge of a call, whose cost is still to be set; {@code null} if the
	 * call has no key and the policy skips such calls. Expressions of the policy may use
	 * the name of the model.
	 */
	@Nullable Charge charge(Caller caller, @Nullable String model) {
		Map<String, @Nullable Object> arguments = Collections.singletonMap(MODEL, model);
		Policy policy = policy();
		PolicyKey known = this.key;
		if (!known.policy().equals(policy)) {
			known = key(policy);
			this.key = known;
		}
		return known.charge(new CallContext(caller, arguments), (any) -> 0);
	}

	/** Returns the charge with the cost to reserve. */
	Charge reserving(Charge charge, ModelOptions options, TokenUsage least) {
		return charge.exempt() ? charge : charge.costing(reserved(charge, options, least));
	}

	/**
	 * Returns what a call has cost. It is at most what the policy admits in the period of
	 * a limit, or in an hour: a provider that reports nonsense must not keep a caller out
	 * for years.
	 */
	long cost(Charge charge, ModelOptions options, TokenUsage usage) {
		long most = limits(charge).enforced()
			.stream()
			.map(PolicyLimit::limit)
			.filter((limit) -> !limit.isConcurrency())
			.mapToLong(ChargedPolicy::most)
			.min()
			.orElse(Long.MAX_VALUE);
		return Math.min(policy().clamped(cost(options, usage)), most);
	}

	private static long most(Limit limit) {
		double periods = Math.max(1, HOUR / (double) limit.periodMicros());
		return Math.max(limit.burst(), (long) (limit.rate().permits() * periods));
	}

	private long cost(ModelOptions options, TokenUsage usage) {
		return this.unit.cost(this.name, options.name(), usage);
	}

	/** Learns what a call of the caller has cost. */
	void learn(Charge charge, long cost) {
		if (learnsFrom(charge)) {
			costsOf(charge).add(cost);
		}
	}

	/**
	 * Learns what the caller has left.
	 * @param charge the charge, as it was decided
	 * @param decision the decision
	 * @param refunded permits that are refunded since, negative if more are charged
	 */
	void learnLeft(Charge charge, Decision decision, long refunded) {
		if (learnsFrom(charge)) {
			decision.limits()
				.stream()
				.filter((limit) -> limit.isOf(this.name, charge.key()) && !limit.limit().isConcurrency())
				.mapToLong(LimitDecision::remaining)
				.min()
				.ifPresent((remaining) -> costsOf(charge).leave(remaining + refunded));
		}
	}

	private boolean learnsFrom(Charge charge) {
		return this.reserve.kind() == TokenReserve.Kind.P95 && !isOfRequests() && !charge.exempt();
	}

	private CallerCosts costsOf(Charge charge) {
		return this.callerCosts.get(charge.key());
	}

	private long reserved(Charge charge, ModelOptions options, TokenUsage least) {
		long cost = cost(options, least);
		if (isOfRequests() || this.reserve.kind() == TokenReserve.Kind.MAX_TOKENS) {
			return cost;
		}
		long initial = cost(options, new TokenUsage(0, this.reserve.tokens()));
		long usual = (this.reserve.kind() == TokenReserve.Kind.FIXED) ? initial
				: atMostThePossible(costsOf(charge).estimate(initial), charge);
		return Math.max(usual, atMostThePossible(cost, charge));
	}

	/** Lowers an estimated cost, as it must not make the call impossible. */
	private long atMostThePossible(long cost, Charge charge) {
		PolicyOptions.MaxCost most = policy().options().maxCost();
		long possible = limits(charge).highestCost();
		return Math.min(cost, (most != null) ? Math.min(possible, most.permits()) : possible);
	}

	private EffectiveLimits limits(Charge charge) {
		return policy().withPermits(charge.permits()).effectiveLimits(charge.plan());
	}

	private Policy policy() {
		return this.policies.get(this.name);
	}

	private PolicyKey key(Policy policy) {
		return this.callers.key(policy, Map.of(MODEL, String.class));
	}

	/**
	 * A unit in which a policy counts calls of models.
	 */
	interface Unit {

		/** A call of a model. */
		Unit REQUESTS = (policy, model, usage) -> 1;

		/** A token of a prompt or completion. */
		Unit TOKENS = (policy, model, usage) -> usage.total();

		/**
		 * Returns the permits that a call costs.
		 * @param policy the name of the policy, for messages
		 * @param model the name of the model
		 * @param usage the tokens of the call
		 */
		long cost(String policy, String model, TokenUsage usage);

		/**
		 * Returns a millionth of the currency of prices.
		 * @param prices finds the price of a model
		 * @param property the property that has the prices
		 */
		static Unit money(Function<String, @Nullable TokenPrice> prices, String property) {
			return (policy, model, usage) -> {
				TokenPrice price = prices.apply(model);
				if (price == null) {
					throw new InvalidCostException(policy,
							"Policy '" + policy + "' cannot charge a call of model '" + model
									+ "': it has no price. Configure '" + property + "', for the model or for '"
									+ TokenPrices.DEFAULT + "'.");
				}
				return price.of(usage);
			};
		}

	}

}
