package io.github.ratelimit.spring.redis.roundtrip;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.redis.driver.ReplyHandler;
import io.github.ratelimit.store.StoreRequest;

/**
 * A handler of replies that caches denials. It is created before the request is sent, as
 * the cache needs that time.
 *
 * @param <T> the type of the result
 */
abstract class LearningHandler<T> implements ReplyHandler<T> {

	private final DenialCache denials;

	private final long askedAt;

	private final long epoch;

	LearningHandler(DenialCache denials) {
		this.denials = denials;
		this.epoch = denials.epoch();
		this.askedAt = denials.now();
	}

	/** Returns when the request was sent, by the clock of the cache. */
	final long askedAt() {
		return this.askedAt;
	}

	/** Caches a decision if it is a denial. */
	final void learn(StoreRequest request, Decision decision) {
		this.denials.learn(request, decision, this.askedAt, this.epoch);
	}

	/** Evicts the denials of counts that may have changed. */
	final void evict(StoreRequest request) {
		this.denials.evict(request);
	}

}
