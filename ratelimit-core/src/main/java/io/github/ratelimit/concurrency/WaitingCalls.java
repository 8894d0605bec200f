package io.github.ratelimit.concurrency;

import java.util.concurrent.CompletableFuture;

/**
 * The calls of this instance that wait for a policy, and the time that passes for them.
 * Implementations are thread-safe.
 */
public interface WaitingCalls {

	/**
	 * Counts a call as waiting, unless too many threads wait for the policy.
	 * {@link #leave} has to follow, and ends the count.
	 * @param policy the policy's name
	 * @param onThread whether the call blocks its thread
	 * @return whether the call may wait
	 */
	boolean tryEnter(String policy, boolean onThread);

	/**
	 * Ends the wait of a call.
	 * @param policy the policy's name
	 * @param onThread whether the call blocked its thread
	 */
	void leave(String policy, boolean onThread);

	/**
	 * Completes after a time.
	 * @param micros the delay, in microseconds
	 * @return completes on a thread that must not be blocked; cancelling it frees the
	 * timer
	 */
	CompletableFuture<Void> delay(long micros);

	/**
	 * Returns the time by a monotonic clock.
	 * @return nanoseconds since any time
	 */
	long nanoTime();

}
