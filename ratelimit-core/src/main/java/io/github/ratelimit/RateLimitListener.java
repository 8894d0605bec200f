package io.github.ratelimit;

import java.util.List;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Is told of every decision, on the thread that learnt it. Implementations are
 * thread-safe and quick; what they throw is logged and changes no decision.
 */
public interface RateLimitListener {

	/**
	 * A store decided.
	 * @param charges what was asked for
	 * @param decision the answer
	 * @param elapsedNanos how long the store took, in nanoseconds
	 */
	default void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
	}

	/**
	 * A store failed to decide.
	 * @param charges what was asked for
	 * @param failure why there is no answer
	 * @param instead what this instance decided in its place, on the policies that say
	 * so: it has no limits of those that let the call through. {@code null} where the
	 * call ends in the failure
	 * @param elapsedNanos how long the store took, in nanoseconds
	 */
	default void failed(List<Charge> charges, RateLimitStoreException failure, @Nullable Decision instead,
			long elapsedNanos) {
	}

	/**
	 * Charges were not made, as their policies do not limit the caller; others of the
	 * same call may have been.
	 * @param charges what was asked for
	 */
	default void skipped(List<Charge> charges) {
	}

	/**
	 * A call asked for more than a limit can ever admit, and no store was asked.
	 * @param charges what was asked for
	 * @param mistake which policy it was too much for
	 */
	default void unsatisfiable(List<Charge> charges, UnsatisfiableCostException mistake) {
	}

	/**
	 * A call has no cost that could be charged, and no store was asked.
	 * @param mistake what is wrong with the cost, and by which policy
	 */
	default void invalidCost(InvalidCostException mistake) {
	}

	/**
	 * A call was refused for who its caller is, before it was worked out what else it
	 * would be charged.
	 * @param refusal why, and by which policy
	 */
	default void refused(RefusedCallerException refusal) {
	}

	/**
	 * Reports a call whose caller a policy does not know, as none of its keys resolves.
	 * Whatever the policy does with such calls, it is reported before that.
	 * @param policy the policy's name
	 */
	default void missingKey(String policy) {
	}

	/**
	 * An admitted call begins to wait for its turn.
	 * @param policies the names of those that make it wait
	 */
	default void waiting(List<String> policies) {
	}

	/**
	 * A call no longer waits: it is its turn, or it was cancelled.
	 * @param policies the names of those that made it wait
	 */
	default void waited(List<String> policies) {
	}

	/**
	 * Several listeners as one.
	 * @param listeners all of which are told, whatever another of them throws
	 * @return the listener
	 */
	static RateLimitListener all(List<RateLimitListener> listeners) {
		return new Listeners(listeners);
	}

}
