package io.github.ratelimit.store.shared;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;

/**
 * A handler of a run for one request of any operation, which keeps the cache of denials
 * up to date. It is created before the request is sent.
 *
 * @param <R> the type of the reply
 */
public final class DecisionHandler<R> extends DenialCache.LearningHandler<R, Decision> {

	private final Replies<R> replies;

	private final StoreRequest request;

	/**
	 * Creates a handler.
	 * @param replies the reader of the reply
	 * @param request the request
	 * @param denials the cache
	 */
	public DecisionHandler(Replies<R> replies, StoreRequest request, DenialCache denials) {
		super(denials);
		this.replies = replies;
		this.request = request;
	}

	@Override
	public Decision onReply(R reply) {
		Decision decision = this.replies.decode(this.request, reply);
		if (this.request.operation() == StoreOperation.ACQUIRE) {
			learn(this.request, decision);
		}
		evictChanged();
		return decision;
	}

	/** Evicts as after a success, as the store may have executed a run that failed. */
	@Override
	public RuntimeException onFailure(Throwable failure) {
		evictChanged();
		return this.replies.failure(failure);
	}

	/**
	 * Leaves denials as they are if a call released its permits, as none are cached.
	 */
	private void evictChanged() {
		StoreOperation operation = this.request.operation();
		boolean changes = operation != StoreOperation.ACQUIRE && operation != StoreOperation.PEEK;
		if (changes && !this.request.permits().stream().allMatch((permit) -> permit.limit().isConcurrency())) {
			evict(this.request);
		}
	}

	/**
	 * A reader of replies.
	 *
	 * @param <R> the type of the reply
	 */
	public interface Replies<R> {

		/**
		 * Returns the decision in a reply: on the request, or on the last of several.
		 * @param request the request
		 * @param reply the reply
		 * @return the decision
		 */
		Decision decode(StoreRequest request, R reply);

		/**
		 * Returns the failure of a run as callers are told of it.
		 * @param failure any exception
		 * @return the same, if it is one of stores
		 */
		RateLimitStoreException failure(Throwable failure);

	}

}
