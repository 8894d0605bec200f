package io.github.ratelimit.spring.method;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Refunds of permits after failures of methods that are annotated so. Refunds are sent
 * without waiting; a charge that the store fails to refund remains.
 */
final class Refunds {

	private static final Log logger = LogFactory.getLog(Refunds.class);

	private final RateLimiter limiter;

	Refunds(RateLimiter limiter) {
		this.limiter = limiter;
	}

	/** Refunds the parts of a reservation that a failure of the method refunds. */
	void after(Throwable failure, Reservation reservation, RateLimitedMethod method) {
		Throwable cause = (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
				: failure;
		method.refunds(reservation, cause).forEach(this::all);
	}

	/** Refunds a whole reservation. */
	void all(Reservation reservation) {
		this.limiter.refundAsync(reservation).exceptionally((ex) -> {
			logger.debug("Permits could not be given back", ex);
			return null;
		});
	}

	/** Returns a stage that refunds permits if the result fails. */
	<T> CompletionStage<T> onFailure(CompletionStage<T> result, Reservation reservation, RateLimitedMethod method) {
		return result.exceptionallyCompose((failure) -> {
			after(failure, reservation, method);
			return CompletableFuture.failedFuture(failure);
		});
	}

}
