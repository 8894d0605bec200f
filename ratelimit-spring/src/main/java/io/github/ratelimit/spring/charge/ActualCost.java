package io.github.ratelimit.spring.charge;

import io.github.ratelimit.Reservation;
import io.github.ratelimit.spring.expression.CallResult;

/**
 * The cost of a charge once its call has ended.
 */
@FunctionalInterface
public interface ActualCost {

	/**
	 * Returns the permits that a call costs after all.
	 * @param charged the reservation of the charge
	 * @param outcome how the call ended
	 * @return the permits, at least 0; what was reserved if the charge stays as it is
	 */
	long of(Reservation charged, CallResult outcome);

	/**
	 * Returns whether the cost depends on the response to the request.
	 * @return whether it is known only when the response is complete
	 */
	default boolean needsResponse() {
		return false;
	}

}
