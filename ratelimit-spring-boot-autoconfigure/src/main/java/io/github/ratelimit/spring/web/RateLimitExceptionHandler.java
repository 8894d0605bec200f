package io.github.ratelimit.spring.web;

import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.InvalidCostException;
import io.github.ratelimit.MissingKeyException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.UnsatisfiableCostException;
import io.github.ratelimit.http.RateLimitFields;
import io.github.ratelimit.http.RateLimitHeaders;
import io.github.ratelimit.store.RateLimitStoreException;

import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

/**
 * Answers a denied call with 429 and one that no store could decide with 503, as problem
 * details (RFC 9457) of the types that draft-ietf-httpapi-ratelimit-headers-11 proposes;
 * a call whose cost can never be admitted or is none with 422 and one whose caller is not
 * known or blocked with 403, neither of which invites a repetition.
 */
@ControllerAdvice
public final class RateLimitExceptionHandler implements Ordered {

	private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

	private static final String VIOLATED_POLICIES = "violated-policies";

	private static final List<Class<? extends RuntimeException>> REFUSALS = List.of(RateLimitExceededException.class,
			RateLimitStoreException.class, InvalidCostException.class, UnsatisfiableCostException.class,
			RefusedCallerException.class, MissingKeyException.class, BlockedCallerException.class);

	private final RateLimitHeaders headers;

	private final LongSupplier jitter;

	private final RateLimitAnswer answer;

	private final int order;

	/**
	 * A handler.
	 * @param headers that tell of a denial
	 * @param jitter seconds by which {@code Retry-After} is to be later than need be
	 * @param answer has the last word
	 * @param order among the application's advice
	 */
	public RateLimitExceptionHandler(RateLimitHeaders headers, LongSupplier jitter, RateLimitAnswer answer, int order) {
		this.headers = headers;
		this.jitter = jitter;
		this.answer = answer;
		this.order = order;
	}

	/**
	 * Where this stands among an application's advice: before all, so that a handler of
	 * all exceptions does not make something else of these; but after all where one has a
	 * handler for these exceptions themselves.
	 * @param advice the classes of the application's advice
	 * @return an order
	 */
	public static int orderAmong(Collection<Class<?>> advice) {
		return advice.stream().map(ExceptionHandlerMethodResolver::new).anyMatch(RateLimitExceptionHandler::answers)
				? Ordered.LOWEST_PRECEDENCE : Ordered.HIGHEST_PRECEDENCE;
	}

	private static boolean answers(ExceptionHandlerMethodResolver handlers) {
		return REFUSALS.stream()
			.anyMatch((refusal) -> !Objects.equals(handlers.resolveMethodByExceptionType(refusal),
					handlers.resolveMethodByExceptionType(refusal.getSuperclass().asSubclass(Throwable.class))));
	}

	@Override
	public int getOrder() {
		return this.order;
	}

	@ExceptionHandler
	ResponseEntity<?> handle(RateLimitExceededException ex) {
		ProblemDetail problem = problem(HttpStatus.TOO_MANY_REQUESTS, "quota-exceeded", "Quota exceeded");
		problem.setProperty(VIOLATED_POLICIES, RateLimitFields.violatedPolicies(ex.getDecision()));
		HttpHeaders headers = retryAfter(RateLimitFields.retryAfter(ex.getDecision()));
		this.headers.of(ex.getDecision()).forEach(headers::set);
		return answer(ex, problem, headers);
	}

	/** Nobody knows when the store is back. */
	@ExceptionHandler
	ResponseEntity<?> handle(RateLimitStoreException ex) {
		ProblemDetail problem = problem(HttpStatus.SERVICE_UNAVAILABLE, "temporary-reduced-capacity",
				"Temporarily reduced capacity");
		return answer(ex, problem, retryAfter(1));
	}

	@ExceptionHandler
	ResponseEntity<?> handle(InvalidCostException ex) {
		ProblemDetail problem = ProblemDetail.forStatus(HttpStatus.UNPROCESSABLE_CONTENT);
		problem.setTitle((ex instanceof UnsatisfiableCostException) ? "Too large for its quota" : "Invalid cost");
		problem.setProperty(VIOLATED_POLICIES, List.of(ex.getPolicy()));
		return answer(ex, problem, new HttpHeaders());
	}

	@ExceptionHandler
	ResponseEntity<?> handle(RefusedCallerException ex) {
		ProblemDetail problem = ProblemDetail.forStatus(HttpStatus.FORBIDDEN);
		problem.setTitle((ex instanceof BlockedCallerException) ? "Caller blocked" : "Caller not identified");
		problem.setProperty(VIOLATED_POLICIES, List.of(ex.getPolicy()));
		return answer(ex, problem, new HttpHeaders());
	}

	private ResponseEntity<?> answer(RuntimeException refusal, ProblemDetail problem, HttpHeaders headers) {
		headers.set(HttpHeaders.CACHE_CONTROL, Refusals.NO_STORE);
		return unlessSaidOtherwise(this.answer.to(refusal,
				ResponseEntity.status(problem.getStatus())
					.headers(headers)
					.contentType(MediaType.APPLICATION_PROBLEM_JSON)
					.body(problem)));
	}

	/** An answer of an application's own may be stored only if it says so itself. */
	private static ResponseEntity<?> unlessSaidOtherwise(ResponseEntity<?> answer) {
		if (answer.getHeaders().containsHeader(HttpHeaders.CACHE_CONTROL)) {
			return answer;
		}
		return ResponseEntity.status(answer.getStatusCode())
			.headers(answer.getHeaders())
			.header(HttpHeaders.CACHE_CONTROL, Refusals.NO_STORE)
			.body(answer.getBody());
	}

	private HttpHeaders retryAfter(long seconds) {
		HttpHeaders headers = new HttpHeaders();
		headers.set(RateLimitFields.RETRY_AFTER, Long.toString(seconds + this.jitter.getAsLong()));
		return headers;
	}

	private static ProblemDetail problem(HttpStatus status, String type, String title) {
		ProblemDetail problem = ProblemDetail.forStatus(status);
		problem.setType(URI.create(TYPES + type));
		problem.setTitle(title);
		return problem;
	}

}
