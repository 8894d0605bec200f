package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.RateLimitStore;
import org.jspecify.annotations.Nullable;

/**
 * Permits charged to a call that can be refunded or adjusted once. Otherwise they stay
 * charged. Thread-safe.
 */
public final class Reservation {

	private final Decision decision;

	private final List<Charge> charges;

	private final List<PermitRequest> permits;

	private final RateLimitStore store;

	/** The parts, created when needed: most reservations are never refunded. */
	private @Nullable List<Part> parts;

	/**
	 * Creates a reservation.
	 * @param charges the charges, at the costs charged
	 * @param permits all decided requests, in the order of the decision's limits
	 */
	Reservation(Decision decision, List<Charge> charges, List<PermitRequest> permits, RateLimitStore store) {
		this.decision = decision;
		this.charges = charges;
		this.permits = permits;
		this.store = store;
	}

	private Reservation(Reservation whole, Part part) {
		this(whole.decision, List.of(part.charge), whole.permits, whole.store);
		this.parts = List.of(part);
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
		return parts().stream().map((part) -> new Reservation(this, part)).toList();
	}

	private synchronized List<Part> parts() {
		if (this.parts == null) {
			this.parts = this.charges.stream().map((charge) -> new Part(charge, this.permits, this.decision)).toList();
		}
		return this.parts;
	}

	/** Returns the reservation of a call that may not wait: a denial. */
	Reservation denied() {
		List<LimitDecision> limits = this.decision.limits().stream().map(Reservation::denied).toList();
		return new Reservation(Decision.of(this.decision.storeTimeMicros(), limits, this.decision.shadows()),
				this.charges, this.permits, this.store);
	}

	private static LimitDecision denied(LimitDecision limit) {
		return new LimitDecision(limit.policy(), limit.limit(), limit.remaining(), limit.waitMicros(),
				limit.resetAfterMicros());
	}

	/** Returns the store that was charged. */
	RateLimitStore store() {
		return this.store;
	}

	/** Releases the parts that are still reserved, and returns them. */
	List<Part> release() {
		return this.decision.allowed() ? parts().stream().filter(Part::tryRelease).toList() : List.of();
	}

	/** The part of a reservation that belongs to one charge. */
	static final class Part {

		private final AtomicBoolean reserved = new AtomicBoolean(true);

		private final Charge charge;

		private final List<PermitRequest> permits;

		private final Decision decision;

		Part(Charge charge, List<PermitRequest> permits, Decision decision) {
			this.charge = charge;
			this.permits = permits;
			this.decision = decision;
		}

		private boolean tryRelease() {
			return this.reserved.compareAndSet(true, false);
		}

		Charge charge() {
			return this.charge;
		}

		/**
		 * Returns refunds of the charge's permits, each with the time of its charge.
		 * Limits in shadow without room for the cost were not charged.
		 */
		Stream<PermitRequest> refunds(long cost) {
			List<LimitDecision> limits = Stream
				.concat(this.decision.limits().stream(), this.decision.shadows().stream())
				.toList();
			return IntStream.range(0, limits.size())
				.filter((index) -> isOfCharge(this.permits.get(index)) && limits.get(index).allowed())
				.mapToObj((index) -> this.permits.get(index)
					.refund(cost, this.decision.storeTimeMicros() + limits.get(index).waitMicros()));
		}

		private boolean isOfCharge(PermitRequest permit) {
			return permit.policy().equals(this.charge.policy()) && permit.key().equals(this.charge.key());
		}

	}

}
