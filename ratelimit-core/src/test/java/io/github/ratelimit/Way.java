package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.algorithm.Decision;

/**
 * The ways to ask a limiter.
 */
enum Way {

	BLOCKING, ASYNC;

	Hold hold(RateLimiter limiter, List<Charge> charges) {
		return (this == BLOCKING) ? limiter.hold(charges) : get(limiter.holdAsync(charges));
	}

	Decision peek(RateLimiter limiter, List<Charge> charges) {
		return (this == BLOCKING) ? limiter.peek(charges) : get(limiter.peekAsync(charges));
	}

	void settle(RateLimiter limiter, Hold hold, long actual) {
		if (this == BLOCKING) {
			limiter.settle(hold, actual);
		}
		else {
			get(limiter.settleAsync(hold, actual));
		}
	}

	private static <T> T get(CompletionStage<T> stage) {
		try {
			return stage.toCompletableFuture().join();
		}
		catch (CompletionException ex) {
			throw (RuntimeException) ex.getCause();
		}
	}

}
