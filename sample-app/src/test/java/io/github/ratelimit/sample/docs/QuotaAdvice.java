package io.github.ratelimit.sample.docs;

import java.util.Map;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.http.RateLimitFields;

import org.springframework.context.annotation.Profile;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * An answer of the application's own to a denied call.
 */
@Profile("docs")
@RestControllerAdvice
class QuotaAdvice {

	@ExceptionHandler
	ResponseEntity<Map<String, Object>> denied(RateLimitExceededException ex) {
		long seconds = RateLimitFields.retryAfter(ex.getDecision());
		return ResponseEntity.status(429)
			.header(RateLimitFields.RETRY_AFTER, Long.toString(seconds))
			.body(Map.of("error", "too many calls", "retryInSeconds", seconds));
	}

}
