package io.github.ratelimit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Bounds;
import io.github.ratelimit.concurrency.HeldPermits;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.store.DetachedCharge;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
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
	 * Takes what can be adjusted of a reservation, and returns the adjustments. There are
	 * none if its cost was right or it was adjusted before. A cost that stores cannot
	 * count is capped at the largest they can.
	 * @param listener notified of every charge whose cost was not right
	 */
	static List<ReservationAdjustment> of(Reservation reservation, long actual, Policies policies,
			RateLimitListener listener) {
		long countable = countable(actual);
		List<Reservation.Part> parts = reservation.takeAdjustable();
		ToLongFunction<Charge> lacking = (charge) -> policies.get(charge.policy()).clamped(countable) - charge.cost();
		parts.forEach((part) -> part.adjusted(lacking.applyAsLong(part.charge()), listener));
		return Stream
			.of(new StoreRequest(StoreOperation.REFUND,
					permits(parts, (charge) -> Math.min(0, lacking.applyAsLong(charge)))),
					new StoreRequest(StoreOperation.CHARGE,
							permits(parts, (charge) -> Math.max(0, lacking.applyAsLong(charge)))))
			.filter((request) -> !request.permits().isEmpty())
			.map((request) -> new ReservationAdjustment(reservation.store(), request))
			.toList();
	}

	/** Returns what detached charges cost if each charge of their calls costs as much. */
	static ToLongFunction<DetachedCharge> detached(long actual, Policies policies) {
		long countable = countable(actual);
		return (charge) -> charge.charges() * policies.get(charge.policy()).clamped(countable);
	}

	private static long countable(long actual) {
		if (actual < 0) {
			throw new IllegalArgumentException("'actual' must not be negative, was " + actual);
		}
		return Math.min(actual, Bounds.LARGEST);
	}

	/**
	 * Returns the refund of all that a reservation still has, if anything.
	 * @param listener notified of every refunded charge
	 */
	static List<ReservationAdjustment> refund(Reservation reservation, RateLimitListener listener) {
		List<Reservation.Part> parts = reservation.takeAdjustable();
		parts.forEach((part) -> part.adjusted(-part.charge().cost(), listener));
		List<PermitRequest> permits = permits(parts, (charge) -> -charge.cost());
		permits.addAll(takeHeld(reservation));
		return refund(reservation, permits);
	}

	/** Returns the refund of the permits that the call holds, if any. */
	static List<ReservationAdjustment> release(Reservation reservation) {
		return refund(reservation, takeHeld(reservation));
	}

	private static List<ReservationAdjustment> refund(Reservation reservation, List<PermitRequest> permits) {
		return permits.isEmpty() ? List.of() : List
			.of(new ReservationAdjustment(reservation.store(), new StoreRequest(StoreOperation.REFUND, permits)));
	}

	private static List<PermitRequest> takeHeld(Reservation reservation) {
		return reservation.held().stream().map(HeldPermits::tryRelease).filter(Objects::nonNull).toList();
	}

	/**
	 * Executes the adjustment.
	 * @param mustSucceed whether a failure of the store is thrown, not ignored
	 */
	void execute(Predicate<StoreRequest> mustSucceed) {
		try {
			this.store.execute(this.request);
		}
		catch (RateLimitStoreException ex) {
			if (mustSucceed.test(this.request)) {
				throw ex;
			}
		}
	}

	/** Executes the adjustment without blocking. */
	CompletionStage<Void> executeAsync(Predicate<StoreRequest> mustSucceed) {
		return this.store.executeAsync(this.request).<Void>thenApply((decision) -> null).exceptionally((failure) -> {
			Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
			if (cause instanceof RateLimitStoreException && !mustSucceed.test(this.request)) {
				return null;
			}
			throw new CompletionException(cause);
		});
	}

	/** Returns the differences of all parts, added up by count. */
	private static List<PermitRequest> permits(List<Reservation.Part> parts, ToLongFunction<Charge> difference) {
		Map<Object, PermitRequest> permits = new LinkedHashMap<>();
		for (Reservation.Part part : parts) {
			long lacking = difference.applyAsLong(part.charge());
			if (lacking != 0) {
				part.corrections(lacking)
					.forEach((permit) -> permits.merge(List.of(permit.policyLimit(), permit.key()), permit,
							(one, other) -> one.costing(one.cost() + other.cost())));
			}
		}
		return new ArrayList<>(permits.values());
	}

}
