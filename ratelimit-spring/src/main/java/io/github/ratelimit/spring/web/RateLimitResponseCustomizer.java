package io.github.ratelimit.spring.web;

import org.springframework.http.HttpRequest;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

/**
 * A customizer of the responses to rejected requests, to be registered as a bean. It
 * customizes denials ({@code RateLimitExceededException}), failures of the store
 * ({@code RateLimitStoreException}), invalid or unsatisfiable costs
 * ({@code InvalidCostException}) and unknown or blocked callers
 * ({@code RefusedCallerException}). Implementations must be thread-safe.
 */
@FunctionalInterface
public interface RateLimitResponseCustomizer {

	/** The customizer that changes nothing. */
	RateLimitResponseCustomizer NONE = (rejection, standard, request) -> standard;

	/**
	 * Returns the response to a rejected request.
	 * @param rejection the exception that rejected the request
	 * @param standard the response without a customizer
	 * @param request the rejected request
	 * @return the standard response, or one that replaces it
	 */
	ResponseEntity<?> customize(RuntimeException rejection, ResponseEntity<ProblemDetail> standard,
			HttpRequest request);

}
