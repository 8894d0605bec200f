package io.github.ratelimit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Alignment;
import io.github.ratelimit.algorithm.CountDefinition;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.CallerSelectors;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.Plan;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import org.jspecify.annotations.Nullable;

/**
 * A slow definition of what a limiter decides on calls, to test it against: plans,
 * candidates and limits in shadow, shared counts and reserves, turns of calls with
 * several limits, and corrections of what calls cost. Without limits on concurrency.
 */
final class CallDefinition {

	private final Map<String, Policy> policies = new HashMap<>();

	private final Map<Object, CountDefinition> counts = new HashMap<>();

	CallDefinition(List<Policy> policies) {
		policies.forEach((policy) -> this.policies.put(policy.name(), policy));
	}

	/**
	 * A call that was decided.
	 *
	 * @param decision the decision; {@code null} if the call was refused
	 * @param permits what the call requested
	 * @param charges the charges at their costs, as corrected so far
	 * @param charged what the call charged
	 */
	record Call(@Nullable Decision decision, List<PermitRequest> permits, List<Charge> charges, List<Charged> charged) {

	}

	/**
	 * A charge of one limit.
	 *
	 * @param permit the request
	 * @param time when it was made
	 * @param turn when it counts
	 * @param capped whether the limit, in shadow, counts less than the call costs
	 */
	record Charged(PermitRequest permit, long time, long turn, boolean capped) {

	}

	/** Decides a call, and charges it if it is to acquire. */
	Call decide(StoreOperation operation, List<Charge> charges, long now) {
		List<PermitRequest> permits = permits(charges);
		if (permits == null) {
			return new Call(null, List.of(), List.of(), List.of());
		}
		long latest = permits.stream()
			.filter((permit) -> !permit.shadow())
			.mapToLong((permit) -> wait(permit, now))
			.max()
			.orElse(0);
		boolean admitted = permits.stream()
			.allMatch((permit) -> permit.shadow() || wait(permit, now) <= permit.maxWaitMicros());
		List<LimitDecision> decided = permits.stream()
			.map((permit) -> count(permit).execute(admitted ? operation : StoreOperation.PEEK, permit, now, latest))
			.toList();
		List<Charge> costs = costs(charges);
		List<Charged> charged = new ArrayList<>();
		for (int i = 0; admitted && i < decided.size(); i++) {
			if (decided.get(i).allowed()) {
				charged.add(charged(permits.get(i), decided.get(i).waitMicros(), latest, now, costs));
			}
		}
		return new Call(decision(permits, decided, now), permits, costs, charged);
	}

	private Charged charged(PermitRequest permit, long wait, long latest, long now, List<Charge> costs) {
		return new Charged(permit, now, CountDefinition.turn(permit.limit(), now, wait, latest),
				permit.cost() < cost(permit, costs));
	}

	private static Decision decision(List<PermitRequest> permits, List<LimitDecision> decided, long now) {
		int enforced = (int) permits.stream().filter((permit) -> !permit.shadow()).count();
		return permits.isEmpty() ? Decision.UNLIMITED
				: Decision.of(now, decided.subList(0, enforced), decided.subList(enforced, decided.size()));
	}

	/** Returns whether a denied call never fits before its retry-after. */
	boolean isExact(List<Charge> charges, long now) {
		return Objects.requireNonNull(permits(charges))
			.stream()
			.noneMatch((permit) -> !permit.shadow() && count(permit).isForeignTo(permit.limit(), now));
	}

	private long wait(PermitRequest permit, long now) {
		LimitDecision decided = count(permit).execute(StoreOperation.PEEK, permit, now, 0);
		return decided.allowed() ? decided.waitMicros() : decided.retryAfterMicros() + permit.maxWaitMicros();
	}

	/**
	 * Corrects the costs of some charges of a call: first what is refunded, then what is
	 * charged in addition.
	 * @param actual the actual cost of each charge
	 */
	Call adjust(Call call, List<Integer> corrected, ToLongFunction<Charge> actual, long now) {
		List<Charge> lowered = new ArrayList<>(call.charges());
		List<Charge> settled = new ArrayList<>(call.charges());
		for (int index : corrected) {
			Charge charge = call.charges().get(index);
			settled.set(index, costing(charge, actual));
			lowered.set(index, charge.costing(Math.min(settled.get(index).cost(), charge.cost())));
		}
		correct(call, call.charges(), lowered, now);
		correct(call, lowered, settled, now);
		return new Call(call.decision(), call.permits(), settled, call.charged());
	}

	/**
	 * Corrects a call by its token: in one step for each policy and key.
	 * @param actual the actual cost of each charge
	 */
	Call settle(Call call, List<Integer> corrected, ToLongFunction<Charge> actual, long now) {
		Map<Subject, List<Integer>> subjects = new LinkedHashMap<>();
		corrected.forEach(
				(index) -> subjects.computeIfAbsent(call.charges().get(index).subject(), (missing) -> new ArrayList<>())
					.add(index));
		List<Charge> settled = new ArrayList<>(call.charges());
		for (List<Integer> indexes : subjects.values()) {
			List<Charge> before = List.copyOf(settled);
			indexes.forEach((index) -> settled.set(index, costing(settled.get(index), actual)));
			correct(call, before, settled, now);
		}
		return new Call(call.decision(), call.permits(), settled, call.charged());
	}

	private Charge costing(Charge charge, ToLongFunction<Charge> actual) {
		return charge.costing(clamped(charge.policy(), actual.applyAsLong(charge)));
	}

	/**
	 * Corrects each limit by as much as what it counts of the call has changed. One in
	 * shadow counts no more than it could ever admit.
	 */
	private void correct(Call call, List<Charge> from, List<Charge> to, long now) {
		for (Charged charged : call.charged()) {
			PermitRequest permit = charged.permit();
			long most = charged.capped() ? permit.cost() : Long.MAX_VALUE;
			long difference = Math.min(cost(permit, to), most) - Math.min(cost(permit, from), most);
			if (difference != 0) {
				count(permit).execute((difference < 0) ? StoreOperation.REFUND : StoreOperation.CHARGE,
						permit.refund(Math.abs(difference), charged.time(), charged.turn()), now, 0);
			}
		}
	}

	/**
	 * Returns what charges of the policy and key of a request cost, without those whose
	 * plan is off.
	 */
	private long cost(PermitRequest permit, List<Charge> charges) {
		return charges.stream()
			.filter(this::isCounted)
			.filter((charge) -> charge.policy().equals(permit.policy()) && charge.key().equals(permit.key()))
			.mapToLong(Charge::cost)
			.sum();
	}

	/** Resets the counts of a key that a policy has, by any plan or candidate. */
	void reset(String name, String key) {
		Policy policy = policy(name, key);
		for (Plan plan : plans(policy)) {
			for (PolicyLimit limit : limits(policy, plan, EnforcementMode.SHADOW)) {
				this.counts.remove(id(new PermitRequest(limit, key, 0, 0)));
			}
		}
	}

	private static List<Plan> plans(Policy policy) {
		List<Plan> plans = new ArrayList<>(policy.plans().values());
		plans.add(policy.standard());
		return plans;
	}

	/** Returns the requests of a call, or null if it is refused. */
	private @Nullable List<PermitRequest> permits(List<Charge> charges) {
		List<PermitRequest> permits = new ArrayList<>();
		List<PermitRequest> inShadow = new ArrayList<>();
		for (Charge charge : added(costs(charges.stream().filter(this::isCounted).toList()))) {
			Policy policy = policy(charge.policy(), charge.key());
			for (PolicyLimit limit : limits(policy, plan(policy, charge), plan(policy, charge).mode())) {
				long cost = limit.shadow() ? Math.min(charge.cost(), limit.highestCost()) : charge.cost();
				(limit.shadow() ? inShadow : permits)
					.add(new PermitRequest(limit, charge.key(), cost, maxWait(charge)));
			}
		}
		permits.addAll(inShadow);
		boolean isRefused = permits.stream().anyMatch((permit) -> permit.required() > permit.limit().burst())
				|| permits.stream().map(CallDefinition::id).distinct().count() < permits.size()
				|| charges.stream().anyMatch(this::isRefused);
		return isRefused ? null : permits;
	}

	private boolean isRefused(Charge charge) {
		PolicyOptions.MaxCost most = policy(charge.policy()).options().maxCost();
		return isCounted(charge) && most != null && !most.clamps() && charge.cost() > most.permits();
	}

	private boolean isCounted(Charge charge) {
		return plan(policy(charge.policy(), charge.key()), charge).mode() != EnforcementMode.OFF;
	}

	private List<Charge> costs(List<Charge> charges) {
		return charges.stream().map((charge) -> charge.costing(clamped(charge.policy(), charge.cost()))).toList();
	}

	private long clamped(String policy, long cost) {
		PolicyOptions.MaxCost most = policy(policy).options().maxCost();
		return (most != null && most.clamps()) ? Math.min(cost, most.permits()) : cost;
	}

	/** Adds up the costs of charges for the same policy and key. */
	private static List<Charge> added(List<Charge> charges) {
		Map<List<String>, Charge> added = new LinkedHashMap<>();
		charges.forEach((charge) -> added.merge(List.of(charge.policy(), charge.key()), charge,
				(one, other) -> one.costing(one.cost() + other.cost())));
		return List.copyOf(added.values());
	}

	private long maxWait(Charge charge) {
		return ((charge.maxWait() != null) ? charge.maxWait() : policy(charge.policy()).options().maxWait()).toNanos()
				/ 1000;
	}

	/** Returns a policy, in shadow for keys outside of the enforced share. */
	private Policy policy(String name, String key) {
		return policy(name).forKey(key);
	}

	private Policy policy(String name) {
		return Objects.requireNonNull(this.policies.get(name));
	}

	/**
	 * Returns the plan of a caller, with the caller's own permits if the policy takes
	 * them.
	 */
	private static Plan plan(Policy policy, Charge charge) {
		Plan plan = policy.plans().getOrDefault(String.valueOf(charge.plan()), policy.standard());
		CallerSelectors.OwnPermits own = policy.callers().permits();
		if (own == null || charge.permits() == null) {
			return plan;
		}
		Limit limit = permitting(plan.limits().get(0), Math.min(charge.permits(), own.most()));
		return new Plan(List.of(limit), plan.mode(), plan.candidates());
	}

	/** Reads the limit with other permits, as if it had been configured with them. */
	private static Limit permitting(Limit limit, long permits) {
		boolean isLeaky = limit.algorithm() == Algorithm.LEAKY_BUCKET;
		boolean hasBurst = limit.algorithm().hasBurst() && limit.burst() != (isLeaky ? 1 : limit.rate().permits());
		Alignment alignment = limit.alignment();
		String text = permits + "/" + limit.period() + (hasBurst ? " burst " + limit.burst() : "")
				+ ((alignment != null) ? " align " + alignment.unit().id() + " zone " + alignment.zone().getId() : "");
		return Limit.parse(text, limit.algorithm());
	}

	/**
	 * Returns the limits of a plan, then its candidates, which have counts of their own.
	 */
	private static List<PolicyLimit> limits(Policy policy, Plan plan, EnforcementMode mode) {
		List<PolicyLimit> limits = new ArrayList<>();
		if (mode != EnforcementMode.OFF) {
			plan.limits().forEach((limit) -> limits.add(limit(policy, limit, 0, limits)));
			int enforced = limits.size();
			plan.candidates()
				.forEach((limit) -> limits.add(limit(policy, limit, 100, limits.subList(enforced, limits.size()))));
			limits.replaceAll((limit) -> (mode == EnforcementMode.SHADOW || limits.indexOf(limit) >= enforced)
					? limit.inShadow() : limit);
		}
		return limits;
	}

	/** Returns a limit with its reserve, at the next position of its period. */
	private static PolicyLimit limit(Policy policy, Limit limit, int first, List<PolicyLimit> before) {
		PolicyOptions.SharedCounter shared = policy.options().sharedCounter();
		long position = before.stream().filter((other) -> other.limit().periodMicros() == limit.periodMicros()).count();
		long reserve = (shared == null) ? 0 : (limit.burst() * shared.reserve() + 99) / 100;
		return new PolicyLimit(policy.name(), (shared == null) ? policy.name() : shared.policy(),
				first + (int) position, limit, reserve, 0, false, policy.options().hidden());
	}

	private CountDefinition count(PermitRequest permit) {
		return this.counts.computeIfAbsent(id(permit), (unknown) -> new CountDefinition());
	}

	private static Object id(PermitRequest permit) {
		PolicyLimit limit = permit.policyLimit();
		return List.of(limit.counter(), limit.position(), limit.limit().periodMicros(), permit.key());
	}

}
