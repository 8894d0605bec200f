package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.decision.Decision;

/**
 * The styles of calling a limiter.
 */
enum CallStyle {

	BLOCKING, ASYNC;

	Reservation reserve(RateLimiter limiter, List<Charge> charges) {
		return (this == BLOCKING) ? limiter.reserve(charges) : get(limiter.reserveAsync(charges));
	}

	Decision peek(RateLimiter limiter, List<Charge> charges) {
		return (this == BLOCKING) ? limiter.peek(charges) : get(limiter.peekAsync(charges));
	}

	void adjust(RateLimiter limiter, Reservation reservation, long actual) {
		if (this == BLOCKING) {
			limiter.adjust(reservation, actual);
		}
		else {
			get(limiter.adjustAsync(reservation, actual));
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
