package io.github.ratelimit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.EffectiveLimits;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * The charges of a call, resolved against its policies.
 *
 * @param charges all charges of the call, at the costs computed by the policies
 * @param skipped the charges that no limit applies to, as requested
 * @param requested all other charges, as requested
 * @param request the acquiring request to the store, without two permits of the same
 * count; empty if no limit applies
 * @param concurrency the permits that the call would hold of enforced limits on
 * concurrency. Each has its longest wait, which the store does not receive. Empty if all
 * such limits are in shadow, {@code null} if there are none
 */
record ResolvedCharges(List<Charge> charges, List<Charge> skipped, List<Charge> requested, StoreRequest request,
		@Nullable List<PermitRequest> concurrency) {

	static final ResolvedCharges NONE = new ResolvedCharges(List.of(), List.of(), List.of(), acquire(List.of()), null);

	private static final long SECOND = TimeUnit.SECONDS.toMicros(1);

	/**
	 * Separates the longest waits for permits that calls hold: no store knows when one
	 * returns.
	 */
	private static ResolvedCharges of(List<Charge> charges, List<Charge> skipped, List<Charge> requested,
			List<PermitRequest> permits) {
		if (!areOnConcurrency(permits)) {
			return new ResolvedCharges(charges, skipped, requested, acquire(permits), null);
		}
		List<PermitRequest> toHold = permits.stream()
			.filter((permit) -> permit.limit().isConcurrency() && !permit.shadow() && permit.cost() > 0)
			.toList();
		List<PermitRequest> known = permits.stream()
			.map((permit) -> permit.limit().isConcurrency() ? waiting(permit, 0) : permit)
			.toList();
		return new ResolvedCharges(charges, skipped, requested, acquire(known), toHold);
	}

	/** Returns whether any is of a limit on concurrency. An iterator would be garbage. */
	private static boolean areOnConcurrency(List<PermitRequest> permits) {
		for (int i = 0; i < permits.size(); i++) {
			if (permits.get(i).limit().isConcurrency()) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Resolves charges.
	 * @throws IllegalArgumentException if they cannot be decided
	 */
	static ResolvedCharges of(List<Charge> charges, Function<Charge, Policy> policies) {
		return switch (charges.size()) {
			case 0 -> throw new IllegalArgumentException("'charges' must not be empty");
			case 1 -> single(List.copyOf(charges), policies);
			default -> several(charges, policies);
		};
	}

	/**
	 * Resolves a single charge, the usual case, with nothing to distinguish or to add up.
	 */
	private static ResolvedCharges single(List<Charge> requested, Function<Charge, Policy> policies) {
		Charge charge = requested.get(0);
		Policy policy = policies.apply(charge);
		EffectiveLimits limits = policy.effectiveLimits(charge.plan());
		if (isSkipped(charge, limits)) {
			return new ResolvedCharges(requested, requested, List.of(), NONE.request, null);
		}
		Charge counted = charge.costing(policy.charged(charge.cost()));
		boolean asRequested = counted.cost() == charge.cost();
		return of(asRequested ? requested : List.of(counted), List.of(), requested, permits(counted, policy, limits));
	}

	private static ResolvedCharges several(List<Charge> charges, Function<Charge, Policy> policies) {
		List<Charge> charged = new ArrayList<>(charges.size());
		List<Charge> skipped = new ArrayList<>();
		List<Charge> requested = new ArrayList<>(charges.size());
		List<Charge> counted = new ArrayList<>(charges.size());
		for (Charge charge : charges) {
			Policy policy = policies.apply(charge);
			if (isSkipped(charge, policy.effectiveLimits(charge.plan()))) {
				skipped.add(charge);
				charged.add(charge);
			}
			else {
				requested.add(charge);
				counted.add(charge.costing(policy.charged(charge.cost())));
				charged.add(counted.get(counted.size() - 1));
			}
		}
		return of(charged, skipped, requested, permits(merged(counted), policies));
	}

	private static StoreRequest acquire(List<PermitRequest> permits) {
		return new StoreRequest(StoreOperation.ACQUIRE, permits);
	}

	private static boolean isSkipped(Charge charge, EffectiveLimits limits) {
		return charge.exempt() || limits.isEmpty();
	}

	/** Returns the permits that the call would hold of enforced limits on concurrency. */
	List<PermitRequest> toHold() {
		return (this.concurrency != null) ? this.concurrency : List.of();
	}

	/** Returns whether a limit applies. */
	boolean isLimited() {
		return !this.request.permits().isEmpty();
	}

	/**
	 * Returns the reservation that results from a decision.
	 * @param permits the decided requests, in the order of the decision's limits
	 */
	Reservation reservation(Decision decision, List<PermitRequest> permits, RateLimitStore store) {
		Reservation reservation = new Reservation(decision, this.charges, notified(), permits, store);
		return (this.concurrency != null) ? reservation.holding() : reservation;
	}

	/** Returns the charges as listeners are notified of them, in their order. */
	private List<? extends @Nullable Charge> notified() {
		if (this.skipped.isEmpty() || this.requested.isEmpty()) {
			return this.requested;
		}
		Iterator<Charge> requested = this.requested.iterator();
		List<@Nullable Charge> notified = new ArrayList<>(this.charges.size());
		for (Charge charge : this.charges) {
			notified.add(this.skipped.contains(charge) ? null : requested.next());
		}
		return notified;
	}

	/**
	 * Checks that the call would hold nothing.
	 * @throws IllegalArgumentException if a limit is on concurrency
	 */
	void requireNothingHeld() {
		if (this.concurrency != null) {
			throw heldForever();
		}
	}

	private IllegalArgumentException heldForever() {
		PermitRequest held = this.request.permits()
			.stream()
			.filter((permit) -> permit.limit().isConcurrency())
			.findFirst()
			.orElseThrow();
		return new IllegalArgumentException("policy '" + held.policy() + "' limits calls at a time, " + held.limit()
				+ ": reserve, and release the reservation when the call ends");
	}

	/** Returns these charges with others that are requested from the store. */
	ResolvedCharges with(List<Charge> charges, List<PermitRequest> permits) {
		return new ResolvedCharges(charges, this.skipped, this.requested, acquire(permits), this.concurrency);
	}

	/** Returns whether a single decision ends the call, which waits for nothing. */
	boolean isDecidedOnce() {
		return isLimited() && this.concurrency == null && !mayWait();
	}

	/** Returns whether a limit may make the call wait. Iterators would be garbage. */
	boolean mayWait() {
		for (int i = 0; i < this.request.permits().size(); i++) {
			PermitRequest permit = this.request.permits().get(i);
			if (permit.maxWaitMicros() > 0 && !permit.shadow()) {
				return true;
			}
		}
		return false;
	}

	/** Returns these charges without waiting for some policies. */
	ResolvedCharges withoutWaitingFor(Predicate<String> policies) {
		return with(this.charges,
				this.request.permits()
					.stream()
					.map((permit) -> (!permit.shadow() && policies.test(permit.policy())) ? waiting(permit, 0) : permit)
					.toList());
	}

	/** Returns these charges for a call that has already waited for some time. */
	ResolvedCharges afterWaiting(long micros) {
		return (micros == 0 || !mayWait()) ? this : with(this.charges, this.request.permits()
			.stream()
			.map((permit) -> permit.shadow() ? permit : waiting(permit, Math.max(0, permit.maxWaitMicros() - micros)))
			.toList());
	}

	private static PermitRequest waiting(PermitRequest permit, long maxWaitMicros) {
		return new PermitRequest(permit.policyLimit(), permit.key(), permit.cost(), maxWaitMicros);
	}

	/**
	 * Returns the denial of a call that may not overtake those which wait for its
	 * permits, whether or not it would be admitted now.
	 */
	Decision denied(Decision peeked) {
		return !peeked.allowed() ? peeked
				: Decision.of(peeked.storeTimeMicros(),
						peeked.limits()
							.stream()
							.map((limit) -> isToHold(limit) ? limit.withRetryAfter(SECOND) : limit)
							.toList(),
						peeked.shadows());
	}

	private boolean isToHold(LimitDecision limit) {
		return toHold().stream()
			.anyMatch((permit) -> limit.isOf(permit.policy(), permit.key()) && permit.limit().equals(limit.limit()));
	}

	private static List<PermitRequest> permits(Charge charge, Policy policy, EffectiveLimits limits) {
		if (limits.enforced().size() > 1 || !limits.shadowed().isEmpty()) {
			List<PermitRequest> permits = new ArrayList<>();
			List<PermitRequest> inShadow = new ArrayList<>();
			add(charge, policy, permits, inShadow);
			permits.addAll(inShadow);
			return permits;
		}
		limits.requireSatisfiable(charge.cost());
		return List.of(permit(limits.enforced().get(0), charge, policy.maxWaitMicros(charge.maxWait())));
	}

	private static List<PermitRequest> permits(Collection<Charge> charges, Function<Charge, Policy> policies) {
		List<PermitRequest> permits = new ArrayList<>();
		List<PermitRequest> inShadow = new ArrayList<>();
		for (Charge charge : charges) {
			add(charge, policies.apply(charge), permits, inShadow);
		}
		permits.addAll(inShadow);
		requireDistinct(permits);
		return permits;
	}

	private static void add(Charge charge, Policy policy, List<PermitRequest> permits, List<PermitRequest> inShadow) {
		EffectiveLimits limits = policy.effectiveLimits(charge.plan());
		limits.requireSatisfiable(charge.cost());
		long wait = policy.maxWaitMicros(charge.maxWait());
		for (PolicyLimit limit : limits.enforced()) {
			permits.add(permit(limit, charge, wait));
		}
		// Shadow must not refuse a cost that the limit can never admit
		for (PolicyLimit limit : limits.shadowed()) {
			inShadow.add(permit(limit, charge.costing(Math.min(charge.cost(), limit.highestCost())), wait));
		}
	}

	/** Creates a request. A call holds one permit, whatever it costs. */
	private static PermitRequest permit(PolicyLimit limit, Charge charge, long wait) {
		long cost = limit.limit().isConcurrency() ? Math.min(charge.cost(), 1) : charge.cost();
		return new PermitRequest(limit, charge.key(), cost, wait);
	}

	private static void requireDistinct(List<PermitRequest> permits) {
		for (int i = 1; i < permits.size(); i++) {
			PermitRequest permit = permits.get(i);
			if (permits.subList(0, i).stream().anyMatch(permit::sharesCountWith)) {
				throw new IllegalArgumentException("policy '" + permit.policy()
						+ "' shares its counts with another that the call charges too: charge one of them");
			}
		}
	}

	private static Collection<Charge> merged(List<Charge> charges) {
		Map<Subject, Charge> merged = new LinkedHashMap<>();
		for (Charge charge : charges) {
			merged.merge(charge.subject(), charge, ResolvedCharges::sum);
		}
		return merged.values();
	}

	/**
	 * Adds up the costs of two charges, with the first one's maximum wait. A sum above
	 * all numbers is above all limits too.
	 */
	private static Charge sum(Charge first, Charge second) {
		long room = Long.MAX_VALUE - first.cost();
		return first.costing(first.cost() + Math.min(second.cost(), room));
	}

}
