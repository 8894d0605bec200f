package io.github.ratelimit.spring.charge;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import org.jspecify.annotations.Nullable;

/**
 * Adjustments of reservations when their calls end. They are sent without waiting; a
 * charge that the store fails to adjust remains as it was reserved.
 */
public final class Adjustments {

	private final RateLimiter limiter;

	/**
	 * Creates adjustments.
	 * @param limiter adjusts
	 */
	public Adjustments(RateLimiter limiter) {
		this.limiter = limiter;
	}

	/**
	 * Opens a reservation, and keeps it with its request if it depends on the response.
	 * @param reservation an admitted reservation
	 * @param charges its charges
	 * @param request the request that the call serves, or {@code null}
	 * @return the open reservation
	 */
	public OpenReservation open(Reservation reservation, CallCharges charges, @Nullable RequestCharges request) {
		if (charges.terms().isEmpty() && !reservation.holdsPermits()) {
			return OpenReservation.NONE;
		}
		OpenReservation open = new OpenReservation(reservation.perCharge(), charges, this.limiter);
		if (request != null && open.outlivesCall()) {
			request.keepOpen(open);
		}
		return open;
	}

	/**
	 * Refunds a whole reservation.
	 * @param reservation the reservation
	 */
	public void refund(Reservation reservation) {
		OpenReservation.logFailure(this.limiter.refundAsync(reservation));
	}

}
