package io.github.ratelimit;

import java.util.List;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

/**
 * A listener for decisions, called on the thread that received them. Implementations are
 * thread-safe and quick. Their exceptions are logged and change no decision.
 */
public interface RateLimitListener {

	/**
	 * Returns the listener for one call that is about to be sent to the store. It is
	 * called on the calling thread, so that a listener can remember the context of that
	 * thread for a decision that another thread receives. Only a call that does not block
	 * and first had to look up the limits of its caller comes from the thread that did.
	 * The result is notified once: {@link #decided}, {@link #failed} or
	 * {@link #abandoned}.
	 * @param charges the requested charges
	 * @return this listener, unless it remembers something of the call
	 */
	default RateLimitListener forCall(List<Charge> charges) {
		return this;
	}

	/**
	 * Handles a decision of a store.
	 * @param charges the requested charges
	 * @param decision the decision
	 * @param elapsedNanos how long the store took, in nanoseconds; for a call that waited
	 * for a permit, to decide its last try; 0 for a store
	 * {@linkplain RateLimitStore#isInProcess() in this process}
	 */
	default void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
	}

	/**
	 * Handles the failure of a store to decide.
	 * @param charges the requested charges
	 * @param failure the store's failure
	 * @param instead the local decision, without limits of policies that let the call
	 * through; {@code null} if the call fails
	 * @param elapsedNanos how long the store took, in nanoseconds
	 */
	default void failed(List<Charge> charges, RateLimitStoreException failure, @Nullable Decision instead,
			long elapsedNanos) {
	}

	/**
	 * Handles a call that ended with neither a decision nor a failure of the store, such
	 * as by an exception of a custom store.
	 * @param charges the requested charges
	 * @param cause the exception that the call ended with
	 */
	default void abandoned(List<Charge> charges, Throwable cause) {
	}

	/**
	 * Handles charges that were not made, as their policies do not limit the caller.
	 * Other charges of the same call may have been made.
	 * @param charges the requested charges
	 */
	default void skipped(List<Charge> charges) {
	}

	/**
	 * Handles a charge that turned out to cost something else: it was adjusted to its
	 * actual cost, or refunded. It is called once at most for a charge, on the thread
	 * that adjusts, whether or not the store then carries the adjustment out. What a
	 * token settles is reported by the process that settles it, once the store has done
	 * so.
	 * @param charge the charge as it was requested; for a token from a shared store, with
	 * the {@linkplain io.github.ratelimit.key.KeyDigest#inPlaceOf digest} of the key
	 * @param difference the permits by which it costs more than was charged, or less if
	 * negative
	 */
	default void adjusted(Charge charge, long difference) {
	}

	/**
	 * Handles a call that costs more than a limit can ever admit. No request was sent to
	 * a store.
	 * @param charges the requested charges
	 * @param mistake names the policy and its highest cost
	 */
	default void unsatisfiable(List<Charge> charges, UnsatisfiableCostException mistake) {
	}

	/**
	 * Handles a call whose cost cannot be charged. No request was sent to a store.
	 * @param mistake the policy and what is wrong with the cost
	 */
	default void invalidCost(InvalidCostException mistake) {
	}

	/**
	 * Handles a call refused because of its caller, before its other charges were
	 * computed.
	 * @param refusal the policy and the reason
	 */
	default void refused(RefusedCallerException refusal) {
	}

	/**
	 * Handles a call for which no key of a policy resolves. It is reported before the
	 * policy acts on it, whatever it does.
	 * @param policy the policy's name
	 */
	default void missingKey(String policy) {
	}

	/**
	 * Handles a call that starts to wait: an admitted one for its turn, or one that is
	 * not decided yet for a permit that another call holds.
	 * @param policies the names of the policies that make it wait
	 */
	default void waiting(List<String> policies) {
	}

	/**
	 * Handles a call that stops waiting, at its turn, with or without a permit, or
	 * because it was cancelled.
	 * @param policies the names of the policies that made it wait
	 */
	default void waited(List<String> policies) {
	}

	/**
	 * Handles a call that goes on without the permit that it held of a limit on
	 * concurrency, as its lease ended before it could be renewed. It is called on the
	 * thread that renews permits.
	 * @param policy the policy's name
	 */
	default void leaseLost(String policy) {
	}

}
