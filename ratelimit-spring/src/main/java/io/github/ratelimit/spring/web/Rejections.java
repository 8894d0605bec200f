package io.github.ratelimit.spring.web;

import java.util.Objects;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.spring.rejection.Rejection;

import org.springframework.http.HttpStatus;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

/**
 * The exceptions that reject a request, and their status codes.
 */
public final class Rejections {

	/** The {@code Cache-Control} of the response to a rejection (RFC 6585, section 4). */
	public static final String NO_STORE = "no-store";

	private Rejections() {
	}

	/**
	 * Returns whether an exception rejects a request.
	 * @param ex the exception
	 * @return whether it is one of the limiter, or of {@code @ConcurrencyLimit}
	 */
	public static boolean isRejection(Throwable ex) {
		return ex instanceof RateLimitExceededException || Rejection.of(ex) != null;
	}

	/**
	 * Returns an exception that rejects a request, and throws any other.
	 * @param ex the exception
	 * @return the same exception, if it {@linkplain #isRejection rejects}
	 */
	public static RuntimeException require(RuntimeException ex) {
		if (!isRejection(ex)) {
			throw ex;
		}
		return ex;
	}

	/**
	 * Returns the status code of a rejection that no exception handler handles.
	 * @param rejection the exception that rejects the request
	 * @return the status code
	 */
	public static HttpStatus status(Throwable rejection) {
		return switch (Objects.requireNonNull(Rejection.of(rejection)).reason()) {
			case DENIED -> HttpStatus.TOO_MANY_REQUESTS;
			case INVALID_COST -> HttpStatus.UNPROCESSABLE_CONTENT;
			case REFUSED_CALLER -> HttpStatus.FORBIDDEN;
			case UNAVAILABLE -> HttpStatus.SERVICE_UNAVAILABLE;
		};
	}

	/**
	 * Returns whether a controller or advice has a handler that handles denials.
	 * @param type the class with handlers of exceptions
	 * @return whether a denial that it receives goes no further
	 */
	public static boolean areDenialsHandledBy(Class<?> type) {
		return new ExceptionHandlerMethodResolver(type)
			.resolveMethodByExceptionType(RateLimitExceededException.class) != null;
	}

}
