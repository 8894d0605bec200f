package io.github.ratelimit.spring.web;

import io.github.ratelimit.InvalidCostException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.store.RateLimitStoreException;

import org.springframework.http.HttpStatus;

/**
 * The exceptions with which a request is refused.
 */
final class Refusals {

	/** The {@code Cache-Control} of an answer to a refusal (RFC 6585, section 4). */
	static final String NO_STORE = "no-store";

	private Refusals() {
	}

	static boolean isOne(Throwable ex) {
		return ex instanceof RateLimitExceededException || ex instanceof RateLimitStoreException
				|| ex instanceof InvalidCostException || ex instanceof RefusedCallerException;
	}

	/** The status where nothing handles the exception. */
	static HttpStatus status(Throwable refusal) {
		if (refusal instanceof InvalidCostException) {
			return HttpStatus.UNPROCESSABLE_CONTENT;
		}
		if (refusal instanceof RefusedCallerException) {
			return HttpStatus.FORBIDDEN;
		}
		return (refusal instanceof RateLimitExceededException) ? HttpStatus.TOO_MANY_REQUESTS
				: HttpStatus.SERVICE_UNAVAILABLE;
	}

}
