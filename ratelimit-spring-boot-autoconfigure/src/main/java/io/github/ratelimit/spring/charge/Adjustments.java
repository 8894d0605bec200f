package io.github.ratelimit.spring.charge;

import java.util.concurrent.CompletionStage;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Adjustments of reservations when their calls end. They are sent without waiting; a
 * charge that the store fails to adjust remains as it was reserved.
 */
public final class Adjustments {

	private static final Log logger = LogFactory.getLog(Adjustments.class);

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
		if (charges.terms().isEmpty()) {
			return OpenReservation.NONE;
		}
		OpenReservation open = new OpenReservation(reservation.perCharge(), charges,
				(part, actual) -> logFailure(this.limiter.adjustAsync(part, actual)));
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
		logFailure(this.limiter.refundAsync(reservation));
	}

	private static void logFailure(CompletionStage<Void> adjustment) {
		adjustment.exceptionally((ex) -> {
			logger.debug("Permits could not be adjusted", ex);
			return null;
		});
	}

}
