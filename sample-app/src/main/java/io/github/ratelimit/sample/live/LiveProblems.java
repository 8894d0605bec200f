package io.github.ratelimit.sample.live;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/**
 * The problem details of invalid requests.
 */
@RestControllerAdvice(basePackageClasses = LiveProblems.class)
final class LiveProblems extends ResponseEntityExceptionHandler {

	/** Handles an unknown algorithm or plan. */
	@ExceptionHandler(IllegalArgumentException.class)
	ProblemDetail invalid(IllegalArgumentException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, ex.getMessage());
	}

}
