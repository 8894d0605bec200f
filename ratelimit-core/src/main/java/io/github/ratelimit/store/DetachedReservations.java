package io.github.ratelimit.store;

import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.ratelimit.decision.Settlement;

/**
 * The detached reservations of a store. It keeps each charge until its time is over, and
 * settles it once at most, in one step with the correction of its counts. Implementations
 * are thread-safe.
 *
 * <p>
 * Stages fail with a {@link RateLimitStoreException}, after which the operation may or
 * may not have been executed, and may complete on a thread of the store that must not be
 * blocked.
 */
public interface DetachedReservations {

	/** The most bytes of a place. */
	int LONGEST_PLACE = 255;

	/**
	 * Keeps a charge.
	 * @param charge the charge
	 * @param lifeMicros the time from now in which it can be settled, in microseconds
	 * @param refundUnsettled whether it is refunded if it was not settled in that time
	 * @return the place by which any process finds it in this store: at most
	 * {@value #LONGEST_PLACE} bytes that cannot be guessed and do not contain the key
	 */
	CompletionStage<byte[]> keep(DetachedCharge charge, long lifeMicros, boolean refundUnsettled);

	/**
	 * Settles a charge unless it was settled before or its time is over.
	 * @param place its place, which may be made up
	 * @param correction returns the request that corrects its counts, which may have no
	 * permits. An exception leaves the charge as it is and fails the stage
	 * @return whether it was settled now, or why not
	 * @throws IllegalArgumentException if there are no such places in this store
	 */
	CompletionStage<Settlement> settle(byte[] place, Function<DetachedCharge, StoreRequest> correction);

	/**
	 * Refunds all charges that were not settled in their time, however many, if they were
	 * kept for that. It finds each charge whose {@link #keep} has completed: callers look
	 * only after that, so a charge that is still being kept may be missed.
	 * @param refunded receives each charge that this refunds
	 * @return once none is due, the time until the next one is, in microseconds, at least
	 * 0; empty if there is none
	 */
	CompletionStage<OptionalLong> refundDue(Consumer<DetachedCharge> refunded);

}
