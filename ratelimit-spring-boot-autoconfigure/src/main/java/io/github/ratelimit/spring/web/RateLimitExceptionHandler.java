package io.github.ratelimit.spring.web;

import java.net.URI;
import java.util.List;

import io.github.ratelimit.MissingKeyException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.UnsatisfiableCostException;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.http.RateLimitFields;
import io.github.ratelimit.store.RateLimitStoreException;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Answers a denied call with 429 and one that no store could decide with 503, as problem
 * details (RFC 9457) of the types that draft-ietf-httpapi-ratelimit-headers-11 proposes;
 * a call that can never be admitted with 422 and one that does not tell who calls with
 * 403, neither of which invites a repetition. An {@code @ExceptionHandler} of the
 * application comes first.
 */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
public final class RateLimitExceptionHandler {

	private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

	private static final String VIOLATED_POLICIES = "violated-policies";

	private static final String RETRY_AFTER_FAILURE = "1";

	@ExceptionHandler
	ResponseEntity<ProblemDetail> handle(RateLimitExceededException ex) {
		Decision decision = ex.getDecision();
		ProblemDetail problem = problem(HttpStatus.TOO_MANY_REQUESTS, "quota-exceeded", "Quota exceeded");
		problem.setProperty(VIOLATED_POLICIES, RateLimitFields.violatedPolicies(decision));
		return ResponseEntity.status(problem.getStatus())
			.header(RateLimitFields.RETRY_AFTER, Long.toString(RateLimitFields.retryAfter(decision)))
			.header(RateLimitFields.RATE_LIMIT_POLICY, RateLimitFields.rateLimitPolicy(decision))
			.header(RateLimitFields.RATE_LIMIT, RateLimitFields.rateLimit(decision))
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.body(problem);
	}

	@ExceptionHandler
	ResponseEntity<ProblemDetail> handle(RateLimitStoreException ex) {
		ProblemDetail problem = problem(HttpStatus.SERVICE_UNAVAILABLE, "temporary-reduced-capacity",
				"Temporarily reduced capacity");
		return ResponseEntity.status(problem.getStatus())
			.header(RateLimitFields.RETRY_AFTER, RETRY_AFTER_FAILURE)
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.body(problem);
	}

	@ExceptionHandler
	ResponseEntity<ProblemDetail> handle(UnsatisfiableCostException ex) {
		ProblemDetail problem = ProblemDetail.forStatus(HttpStatus.UNPROCESSABLE_CONTENT);
		problem.setTitle("Too large for its quota");
		problem.setProperty(VIOLATED_POLICIES, List.of(ex.getPolicy()));
		return ResponseEntity.status(problem.getStatus()).contentType(MediaType.APPLICATION_PROBLEM_JSON).body(problem);
	}

	@ExceptionHandler
	ResponseEntity<ProblemDetail> handle(MissingKeyException ex) {
		ProblemDetail problem = ProblemDetail.forStatus(HttpStatus.FORBIDDEN);
		problem.setTitle("Caller not identified");
		problem.setProperty(VIOLATED_POLICIES, List.of(ex.getPolicy()));
		return ResponseEntity.status(problem.getStatus()).contentType(MediaType.APPLICATION_PROBLEM_JSON).body(problem);
	}

	private static ProblemDetail problem(HttpStatus status, String type, String title) {
		ProblemDetail problem = ProblemDetail.forStatus(status);
		problem.setType(URI.create(TYPES + type));
		problem.setTitle(title);
		return problem;
	}

}
