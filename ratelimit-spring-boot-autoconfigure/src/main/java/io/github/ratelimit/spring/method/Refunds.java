package io.github.ratelimit.spring.method;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Hold;
import io.github.ratelimit.RateLimiter;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Gives permits back after failures of methods that are annotated so. Nobody waits for
 * that, and what the store cannot give back stays charged.
 */
final class Refunds {

	private static final Log logger = LogFactory.getLog(Refunds.class);

	private final RateLimiter limiter;

	Refunds(RateLimiter limiter) {
		this.limiter = limiter;
	}

	void after(Throwable failure, Hold hold, RateLimitedMethod method) {
		Throwable cause = (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
				: failure;
		method.refunds(hold, cause).forEach(this::all);
	}

	/** Gives back all that is held. */
	void all(Hold hold) {
		this.limiter.giveBackAsync(hold).exceptionally((ex) -> {
			logger.debug("Permits could not be given back", ex);
			return null;
		});
	}

	/** The answer, after whose failure permits are given back. */
	<T> CompletionStage<T> where(CompletionStage<T> answer, Hold hold, RateLimitedMethod method) {
		return answer.exceptionallyCompose((failure) -> {
			after(failure, hold, method);
			return CompletableFuture.failedFuture(failure);
		});
	}

}
