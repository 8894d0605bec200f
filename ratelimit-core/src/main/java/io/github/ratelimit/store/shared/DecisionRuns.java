package io.github.ratelimit.store.shared;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.StoreRequest;

/**
 * The runs by which a store outside the process decides requests: one round trip each.
 * Implementations are thread-safe.
 *
 * @param <R> the type of their replies
 */
public interface DecisionRuns<R> extends DecisionHandler.Replies<R> {

	/**
	 * Starts a run that decides a request, perhaps together with others.
	 * @param <T> the type of the result
	 * @param request the request
	 * @param isAwaited whether a thread waits for it
	 * @param handler the handler of the outcome
	 * @return the result
	 * @throws RuntimeException the reason why the run was not started; the handler is not
	 * notified
	 */
	<T> CompletableFuture<T> start(StoreRequest request, boolean isAwaited, ReplyHandler<R, T> handler);

	/**
	 * Starts a run that decides several equal requests, one after the other.
	 * @param <T> the type of the result
	 * @param equal the requests
	 * @param handler the handler of the outcome
	 * @return the result
	 * @throws RuntimeException the reason why the run was not started; the handler is not
	 * notified
	 */
	<T> CompletableFuture<T> start(EqualRequests equal, ReplyHandler<R, T> handler);

	/**
	 * Returns the decisions in a reply to several equal requests.
	 * @param request the request
	 * @param requests their number, without those for which permits were prefetched
	 * @param reply the reply
	 * @return the decisions in their order
	 */
	List<Decision> decode(StoreRequest request, int requests, R reply);

	/**
	 * Returns how many equal requests a reply admits.
	 * @param reply the reply
	 * @return the number, with those for which permits were prefetched
	 */
	long admitted(R reply);

	/**
	 * Returns the time that queued requests are timed by.
	 * @return nanoseconds from an arbitrary origin
	 */
	long now();

	/**
	 * Equal requests that one run decides.
	 *
	 * @param request the request
	 * @param requests their number, at least 1
	 * @param prefetched the number of further ones whose permits are prefetched
	 * @param waited for how long the first of them was queued, in nanoseconds
	 */
	record EqualRequests(StoreRequest request, int requests, long prefetched, long waited) {

	}

}
