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
	 * Ends a pause after a time. What depends on it already runs on a thread that must
	 * not be blocked, and never on the calling one. The timer is freed when the pause
	 * ends before.
	 * @param pause the pause to complete
	 * @param micros the delay, in microseconds
	 */
	void endAfter(CompletableFuture<Void> pause, long micros);

	/**
	 * Returns the time by a monotonic clock.
	 * @return nanoseconds since any time
	 */
	long nanoTime();

}
