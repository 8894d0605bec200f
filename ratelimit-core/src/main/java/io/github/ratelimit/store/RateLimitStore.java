package io.github.ratelimit.store;

import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

import io.github.ratelimit.decision.Decision;
import org.jspecify.annotations.Nullable;

/**
 * A store that keeps counts and decides requests. A request is atomic: either all of it
 * is executed, or nothing changes. Implementations are thread-safe.
 */
public interface RateLimitStore {

	/**
	 * Returns the name of this kind of store, as metrics show it.
	 * @return a short lower case word
	 */
	String name();

	/**
	 * Describes this store in logs and health details.
	 * @return the store and its location, without credentials
	 */
	default String description() {
		return name();
	}

	/**
	 * Executes a request on the calling thread.
	 * @param request the request
	 * @return the decision, {@linkplain StoreRequest#decide put together} in the order of
	 * the request's permits
	 * @throws RateLimitStoreException if the store did not decide; the request may or may
	 * not have been executed, once at most
	 */
	Decision execute(StoreRequest request);

	/**
	 * Executes a request without blocking the calling thread.
	 * @param request the request
	 * @return the decision, or a {@link RateLimitStoreException} as for {@link #execute};
	 * it may complete on a thread of the store that must not be blocked
	 */
	CompletionStage<Decision> executeAsync(StoreRequest request);

	/**
	 * Returns the detached reservations of this store.
	 * @return the same instance at every call
	 * @throws UnsupportedOperationException if this store keeps none
	 */
	default DetachedReservations detachedReservations() {
		throw new UnsupportedOperationException("The store '" + name() + "' keeps no detached reservations");
	}

	/**
	 * Forgets what this instance remembers of counts that another instance has reset,
	 * such as denials. The counts themselves stay as they are.
	 * @param counts matches the permits of the counts, whatever their cost
	 */
	default void forget(Predicate<PermitRequest> counts) {
	}

	/**
	 * Returns whether calls have to wait for their turns in real time. They proceed at
	 * once if this store has moved its clock on to them, as one for tests may.
	 * @return whether time passes by itself
	 */
	default boolean waitsInRealTime() {
		return true;
	}

	/**
	 * Returns whether this store counts in this process and decides at once. How long its
	 * decisions take is not measured, as reading a clock takes as long.
	 * @return whether it neither waits nor fails
	 */
	default boolean isInProcess() {
		return false;
	}

	/**
	 * Returns the number of values found so far that were no counts, and were
	 * overwritten.
	 * @return at least 0; always 0 if nothing else can write to the store
	 */
	default long unreadable() {
		return 0;
	}

	/**
	 * Returns the number of instances that were last known to share this store, of which
	 * each may admit a part of a limit while the store fails.
	 * @return at least 1; always 1 if this store does not count them
	 */
	default int instances() {
		return 1;
	}

	/**
	 * Returns the state of this store's circuit breaker.
	 * @return the state; always closed without a breaker
	 */
	default BreakerState breakerState() {
		return BreakerState.CLOSED;
	}

	/**
	 * Returns the latest failure of this store, which may be over.
	 * @return the failure; {@code null} if there was none, or if this store does not
	 * remember it
	 */
	default @Nullable StoreFailure lastFailure() {
		return null;
	}

}
