package io.github.ratelimit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Bounds;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;

/**
 * A store request that adjusts a reservation to its actual cost.
 *
 * @param store the store that was charged
 * @param request refunds the difference, or charges it
 */
record ReservationAdjustment(RateLimitStore store, StoreRequest request) {

	/**
	 * Releases a reservation and returns its adjustments. There are none if its cost was
	 * right or it was released before. A cost that stores cannot count is capped at the
	 * largest they can.
	 */
	static List<ReservationAdjustment> of(Reservation reservation, long actual, Policies policies) {
		if (actual < 0) {
			throw new IllegalArgumentException("'actual' must not be negative, was " + actual);
		}
		List<Reservation.Part> parts = reservation.release();
		long countable = Math.min(actual, Bounds.LARGEST);
		ToLongFunction<Charge> lacking = (charge) -> policies.get(charge.policy()).clamped(countable) - charge.cost();
		return Stream
			.of(new StoreRequest(StoreOperation.REFUND, permits(parts, (charge) -> -lacking.applyAsLong(charge))),
					new StoreRequest(StoreOperation.CHARGE, permits(parts, lacking)))
			.filter((request) -> !request.permits().isEmpty())
			.map((request) -> new ReservationAdjustment(reservation.store(), request))
			.toList();
	}

	/** Returns the positive differences of all parts, added up by count. */
	private static List<PermitRequest> permits(List<Reservation.Part> parts, ToLongFunction<Charge> difference) {
		Map<Object, PermitRequest> permits = new LinkedHashMap<>();
		for (Reservation.Part part : parts) {
			long cost = difference.applyAsLong(part.charge());
			if (cost > 0) {
				part.refunds(cost)
					.forEach((permit) -> permits.merge(List.of(permit.policyLimit(), permit.key()), permit,
							(one, other) -> one.costing(one.cost() + other.cost())));
			}
		}
		return new ArrayList<>(permits.values());
	}

}
