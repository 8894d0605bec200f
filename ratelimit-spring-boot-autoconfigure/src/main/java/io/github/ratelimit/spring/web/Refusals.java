package io.github.ratelimit.spring.web;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.UnsatisfiableCostException;
import io.github.ratelimit.store.RateLimitStoreException;

import org.springframework.http.HttpStatus;

/**
 * The exceptions with which a request is refused.
 */
final class Refusals {

	private Refusals() {
	}

	static boolean isOne(Throwable ex) {
		return ex instanceof RateLimitExceededException || ex instanceof RateLimitStoreException
				|| ex instanceof UnsatisfiableCostException || ex instanceof RefusedCallerException;
	}

	/** The status where nothing handles the exception. */
	static HttpStatus status(Throwable refusal) {
		if (refusal instanceof UnsatisfiableCostException) {
			return HttpStatus.UNPROCESSABLE_CONTENT;
		}
		if (refusal instanceof RefusedCallerException) {
			return HttpStatus.FORBIDDEN;
		}
		return (refusal instanceof RateLimitExceededException) ? HttpStatus.TOO_MANY_REQUESTS
				: HttpStatus.SERVICE_UNAVAILABLE;
	}

}
