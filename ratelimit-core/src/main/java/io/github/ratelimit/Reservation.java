package io.github.ratelimit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.concurrency.HeldPermits;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.detached.Detachments;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.store.CostChange;
import io.github.ratelimit.store.DetachedCharge;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.RateLimitStore;
import org.jspecify.annotations.Nullable;

/**
 * Permits charged to a call that can be refunded or adjusted once, here or, once they are
 * {@linkplain RateLimiter#detach detached}, by any process. Otherwise they stay charged.
 * Permits of limits on concurrency are held until they are released. Whoever will release
 * them must keep a reference to the reservation, or to a part of it: once there is none,
 * they return when their lease ends. Thread-safe.
 */
public final class Reservation {

	private final Decision decision;

	private final List<Charge> charges;

	/** The charges as listeners were notified of them, if limits apply to them. */
	private final List<? extends @Nullable Charge> notified;

	private final List<PermitRequest> permits;

	private final RateLimitStore store;

	/**
	 * The parts. If the call holds permits, they are created with it, else when needed:
	 * most reservations are never refunded.
	 */
	private volatile @Nullable List<Part> parts;

	/**
	 * Creates a reservation.
	 * @param charges the charges, at the costs charged
	 * @param notified the same charges as listeners were notified of them, {@code null}
	 * for those without limits; empty if that is all of them
	 * @param permits all decided requests, in the order of the decision's limits
	 */
	Reservation(Decision decision, List<Charge> charges, List<? extends @Nullable Charge> notified,
			List<PermitRequest> permits, RateLimitStore store) {
		this.decision = decision;
		this.charges = charges;
		this.notified = notified;
		this.permits = permits;
		this.store = store;
	}

	/** Returns this reservation, holding the permits of its limits on concurrency. */
	Reservation holding() {
		if (this.decision.allowed()) {
			this.parts = holdingParts();
		}
		return this;
	}

	/**
	 * Returns the decision on the call.
	 * @return the decision; if it is a denial, nothing is reserved
	 */
	public Decision decision() {
		return this.decision;
	}

	/**
	 * Returns the charges, at the costs computed by the policies.
	 * @return the charges of the call, in their order
	 */
	public List<Charge> charges() {
		return List.copyOf(this.charges);
	}

	/**
	 * Returns a reservation for each charge, to refund or adjust it on its own. A part
	 * that is refunded or adjusted no longer belongs to the whole.
	 * @return the reservations, in the order of the charges
	 */
	public List<Reservation> perCharge() {
		return parts().stream().map(this::of).toList();
	}

	private Reservation of(Part part) {
		Reservation one = new Reservation(this.decision, List.of(part.charge), List.of(), this.permits, this.store);
		one.parts = List.of(part);
		return one;
	}

	/**
	 * Returns whether the call holds permits of limits on concurrency, which
	 * {@link RateLimiter#release} gives back when it ends.
	 * @return whether there is anything to release
	 */
	public boolean holdsPermits() {
		List<Part> known = this.parts;
		return known != null && known.stream().flatMap((part) -> part.held.stream()).anyMatch(HeldPermits::isHeld);
	}

	private synchronized List<Part> parts() {
		if (this.parts == null) {
			this.parts = parts((charge) -> List.of());
		}
		return this.parts;
	}

	private List<Part> parts(Function<Charge, List<HeldPermits>> held) {
		Costs costs = new Costs();
		Charged charged = new Charged(this.permits, this.decision);
		List<Part> all = new ArrayList<>();
		for (int i = 0; i < this.charges.size(); i++) {
			Charge charge = this.charges.get(i);
			Charge notified = (i < this.notified.size()) ? this.notified.get(i) : null;
			if (notified != null) {
				costs.add(charge);
			}
			all.add(new Part(charge, notified, costs, charged, (notified != null) ? held.apply(charge) : List.of()));
		}
		return all;
	}

	/** Returns parts, of which the first that counts a key's permits holds them. */
	private List<Part> holdingParts() {
		List<LimitDecision> limits = limits(this.decision);
		List<HeldPermits> all = new ArrayList<>();
		for (int i = 0; i < limits.size(); i++) {
			PermitRequest permit = this.permits.get(i);
			if (permit.limit().isConcurrency() && permit.cost() > 0 && limits.get(i).allowed()) {
				all.add(new HeldPermits(this.store, permit, this.decision.storeTimeMicros(i)));
			}
		}
		return parts((charge) -> {
			List<HeldPermits> held = all.stream().filter((permits) -> isOf(charge, permits.permit())).toList();
			all.removeAll(held);
			return held;
		});
	}

	private static boolean isOf(Charge charge, PermitRequest permit) {
		return permit.policy().equals(charge.policy()) && permit.key().equals(charge.key());
	}

	private static List<LimitDecision> limits(Decision decision) {
		return Stream.concat(decision.limits().stream(), decision.shadows().stream()).toList();
	}

	/** Returns the reservation of a call that may not wait: a denial. */
	Reservation denied() {
		List<LimitDecision> limits = this.decision.limits()
			.stream()
			.map((limit) -> limit.withRetryAfter(limit.waitMicros()))
			.toList();
		return new Reservation(Decision.of(this.decision.storeTimeMicros(), limits, this.decision.shadows()),
				this.charges, this.notified, this.permits, this.store);
	}

	/** Returns the store that was charged. */
	RateLimitStore store() {
		return this.store;
	}

	/** Takes the parts that were not adjusted before. */
	List<Part> takeAdjustable() {
		return this.decision.allowed() ? parts().stream().filter(Part::tryTake).toList() : List.of();
	}

	/**
	 * Checks that this reservation can be settled by another process.
	 * @throws IllegalArgumentException if it cannot
	 */
	void requireDetachable() {
		if (!this.decision.allowed()) {
			throw new IllegalArgumentException("'reservation' must be of an admitted call, nothing is reserved");
		}
		if (holdsPermits()) {
			throw new IllegalArgumentException(
					"'reservation' must not hold permits, whose lease this process renews: release it before");
		}
		if (this.charges.size() > Detachments.MOST_CHARGES) {
			throw new IllegalArgumentException("'reservation' must have at most " + Detachments.MOST_CHARGES
					+ " charges, had " + this.charges.size());
		}
	}

	/**
	 * Takes what was not adjusted before, to be settled by a token.
	 * @throws IllegalArgumentException if there is nothing
	 */
	List<DetachedCharge> detach() {
		Map<List<Object>, List<Part>> parts = takeAdjustable().stream()
			.collect(Collectors.groupingBy(Part::count, LinkedHashMap::new, Collectors.toList()));
		if (parts.isEmpty()) {
			throw new IllegalArgumentException("'reservation' must not have been adjusted, refunded or detached");
		}
		return parts.values().stream().map(Part::detached).toList();
	}

	/** Returns the permits that the call holds, or held. */
	List<HeldPermits> held() {
		List<Part> known = this.parts;
		return (known == null) ? List.of() : known.stream().flatMap((part) -> part.held.stream()).toList();
	}

	/**
	 * The costs of a call for each policy and key that it counts, as corrected so far.
	 */
	static final class Costs {

		private final Map<Subject, CostChange> costs = new HashMap<>();

		private void add(Charge charge) {
			this.costs.merge(charge.subject(), new CostChange(charge.cost(), 0, charge.cost()),
					(one, other) -> new CostChange(one.charged() + other.charged(), 0, one.actual() + other.actual()));
		}

		/** Changes the cost that a charge is part of, and returns the change. */
		synchronized CostChange change(Charge charge, long difference) {
			return this.costs.compute(charge.subject(),
					(subject, cost) -> new CostChange(cost.charged(), cost.actual(), cost.actual() + difference));
		}

	}

	/**
	 * The requests of a call and the decision on them.
	 *
	 * @param permits all decided requests, in the order of the decision's limits
	 * @param decision the decision on them
	 */
	private record Charged(List<PermitRequest> permits, Decision decision) {

	}

	/**
	 * The part of a reservation that belongs to one charge. If no limit applies to that,
	 * as its plan is off, it has no permits, even where the call charges the key again.
	 */
	static final class Part {

		private final AtomicBoolean reserved = new AtomicBoolean(true);

		private final Charge charge;

		private final @Nullable Charge notified;

		private final Costs costs;

		private final Charged charged;

		private final List<HeldPermits> held;

		private Part(Charge charge, @Nullable Charge notified, Costs costs, Charged charged, List<HeldPermits> held) {
			this.charge = charge;
			this.notified = notified;
			this.costs = costs;
			this.charged = charged;
			this.held = held;
		}

		private boolean tryTake() {
			return this.reserved.compareAndSet(true, false);
		}

		Charge charge() {
			return this.charge;
		}

		/** Notifies a listener, if it was notified of the charge, of another cost. */
		void adjusted(long difference, RateLimitListener listener) {
			if (this.notified != null && difference != 0) {
				listener.adjusted(this.notified, difference);
			}
		}

		/**
		 * Returns corrections of the charge's permits that no call holds, each with the
		 * times of its charge: refunds if the cost is lower by the difference, further
		 * charges if it is higher. Limits in shadow without room for the cost were not
		 * charged.
		 * @param difference the actual cost less that of the charge
		 */
		Stream<PermitRequest> corrections(long difference) {
			if (!isCounted()) {
				return Stream.empty();
			}
			CostChange cost = this.costs.change(this.charge, difference);
			return permits().map((permit) -> permit.costing(cost.correction(permit)))
				.filter((permit) -> permit.cost() > 0);
		}

		private boolean isCounted() {
			return this.notified != null;
		}

		/** Returns what parts of one sum have in common. */
		private List<Object> count() {
			return List.of(this.charge.subject(), isCounted());
		}

		/** Returns the permits that each limit has charged, with the times of that. */
		private Stream<PermitRequest> permits() {
			List<LimitDecision> limits = limits(this.charged.decision());
			List<PermitRequest> permits = this.charged.permits();
			return IntStream.range(0, limits.size())
				.filter((index) -> isOf(this.charge, permits.get(index)) && limits.get(index).allowed())
				.filter((index) -> !permits.get(index).limit().isConcurrency())
				.mapToObj((index) -> permits.get(index)
					.refund(permits.get(index).cost(), this.charged.decision().storeTimeMicros(index),
							this.charged.decision().turnMicros(index)));
		}

		/** Returns parts of one sum, which were taken, as one charge. */
		private static DetachedCharge detached(List<Part> parts) {
			Part first = parts.get(0);
			long cost = parts.stream().mapToLong((part) -> part.charge.cost()).sum();
			String policy = first.charge.policy();
			String key = first.charge.key();
			if (first.notified == null) {
				return new DetachedCharge(policy, key, null, parts.size(), cost, cost, cost, List.of());
			}
			CostChange whole = first.costs.change(first.charge, 0);
			return new DetachedCharge(policy, key, first.notified.key(), parts.size(), cost, whole.charged(),
					whole.actual(), first.permits().toList());
		}

	}

}
