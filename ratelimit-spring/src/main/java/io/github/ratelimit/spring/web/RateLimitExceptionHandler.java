package io.github.ratelimit.spring.web;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.MissingKeyException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.concurrency.CancelledWaitException;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.http.RateLimitFields;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import io.github.ratelimit.spring.rejection.Rejection;
import io.github.ratelimit.spring.web.ProblemMessages.Texts;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.resilience.InvocationRejectedException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

/**
 * The exception handler of rejected calls. A denial becomes 429, a failure of the store
 * and a call that Spring's own {@code @ConcurrencyLimit} rejects 503, as problem details
 * (RFC 9457) of the types that draft-ietf-httpapi-ratelimit-headers-11 proposes. An
 * invalid or unsatisfiable cost becomes 422 and an unknown or blocked caller 403; clients
 * should not retry these.
 *
 * @param <Q> the requests of the web stack
 */
@ControllerAdvice
public abstract class RateLimitExceptionHandler<Q> implements Ordered {

	private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

	private static final String VIOLATED_POLICIES = "violated-policies";

	private static final List<Class<? extends RuntimeException>> REJECTIONS = List.of(RateLimitExceededException.class,
			RateLimitStoreException.class, InvalidCostException.class, UnsatisfiableCostException.class,
			RefusedCallerException.class, MissingKeyException.class, BlockedCallerException.class,
			InvocationRejectedException.class, CancelledWaitException.class);

	private final RejectionSettings settings;

	private final int order;

	/**
	 * Creates a handler.
	 * @param settings the parts of the responses
	 * @param order the order among the application's advice
	 */
	protected RateLimitExceptionHandler(RejectionSettings settings, int order) {
		this.settings = settings;
		this.order = order;
	}

	/**
	 * Returns the order of the handler among an application's advice. It comes first, so
	 * that a handler of all exceptions does not replace it, unless some advice has a
	 * handler for the exceptions of rejected calls. Then it comes right after the last
	 * such advice.
	 * @param advice the orders of the application's advice by classes
	 * @return the order
	 */
	public static int orderAmong(Map<Class<?>, Integer> advice) {
		return advice.entrySet()
			.stream()
			.filter((each) -> isMeantForRejections(each.getKey()))
			.mapToInt((each) -> Math.min(each.getValue(), Ordered.LOWEST_PRECEDENCE - 1) + 1)
			.max()
			.orElse(Ordered.HIGHEST_PRECEDENCE);
	}

	/**
	 * Returns whether a class has a handler of any exception of rejected calls.
	 * @param type a controller or advice
	 * @return whether it has one, other than those of more general exceptions
	 */
	public static boolean isMeantForRejections(Class<?> type) {
		return REJECTIONS.stream().anyMatch((rejection) -> isMeantFor(rejection, type));
	}

	/**
	 * Returns the exceptions of rejected calls that a class handles.
	 * @param type a controller or advice
	 * @return their types
	 */
	public static Stream<Class<? extends RuntimeException>> rejectionsHandledBy(Class<?> type) {
		ExceptionHandlerMethodResolver handlers = new ExceptionHandlerMethodResolver(type);
		return REJECTIONS.stream().filter((rejection) -> handlers.resolveMethodByExceptionType(rejection) != null);
	}

	/**
	 * Returns whether a class has a handler of an exception that is not one of a more
	 * general exception, such as all.
	 * @param rejection an exception of rejected calls
	 * @param type a controller or advice
	 * @return whether its response is meant for the exception
	 */
	public static boolean isMeantFor(Class<? extends RuntimeException> rejection, Class<?> type) {
		ExceptionHandlerMethodResolver handlers = new ExceptionHandlerMethodResolver(type);
		return !Objects.equals(handlers.resolveMethodByExceptionType(rejection),
				handlers.resolveMethodByExceptionType(general(rejection)));
	}

	/** Returns the nearest superclass of a rejection that is none itself. */
	private static Class<? extends Throwable> general(Class<?> rejection) {
		Class<? extends Throwable> general = rejection.getSuperclass().asSubclass(Throwable.class);
		return REJECTIONS.contains(general) ? general(general) : general;
	}

	@Override
	public int getOrder() {
		return this.order;
	}

	@ExceptionHandler
	ResponseEntity<?> handle(RateLimitExceededException ex, @Nullable Locale locale, Q request) {
		HttpHeaders headers = new HttpHeaders();
		writeRetryAfter(ex.getDecision(), headers::set);
		writeReport(ex.getDecision(), headers::set);
		return respond(ex, request, localized(problem(ex.getDecision()), ex, locale), headers);
	}

	/** Returns the texts of the application for a denial. */
	Texts texts(RateLimitExceededException denial, Supplier<@Nullable Locale> locale) {
		return this.settings.messages().of(denial.getClass(), locale);
	}

	/** Returns the problem of a denial, in the words of the standard. */
	static ProblemDetail problem(Decision decision) {
		ProblemDetail problem = problem(HttpStatus.TOO_MANY_REQUESTS, Rejection.of(decision));
		problem.setType(URI.create(TYPES + "quota-exceeded"));
		return problem;
	}

	/** Writes the header that says when to retry. */
	void writeRetryAfter(Decision decision, BiConsumer<String, String> headers) {
		headers.accept(RateLimitFields.RETRY_AFTER, retryAfter(RateLimitFields.retryAfter(decision)));
	}

	/** Writes the headers that report a decision. */
	void writeReport(Decision decision, BiConsumer<String, String> headers) {
		this.settings.headers().write(decision, headers);
	}

	/**
	 * Handles failures of the store, waits that were cut off, and calls that Spring's own
	 * {@code @ConcurrencyLimit} rejects. Sets the shortest {@code Retry-After}, as the
	 * end is unknown.
	 */
	@ExceptionHandler({ RateLimitStoreException.class, InvocationRejectedException.class,
			CancelledWaitException.class })
	ResponseEntity<?> handleReducedCapacity(RuntimeException ex, @Nullable Locale locale, Q request) {
		ProblemDetail problem = problem(HttpStatus.SERVICE_UNAVAILABLE, ex);
		problem.setType(URI.create(TYPES + "temporary-reduced-capacity"));
		HttpHeaders headers = new HttpHeaders();
		headers.set(RateLimitFields.RETRY_AFTER, retryAfter(1));
		return respond(ex, request, localized(problem, ex, locale), headers);
	}

	@ExceptionHandler
	ResponseEntity<?> handle(InvalidCostException ex, @Nullable Locale locale, Q request) {
		ProblemDetail problem = problem(HttpStatus.UNPROCESSABLE_CONTENT, ex);
		return respond(ex, request, localized(problem, ex, locale), new HttpHeaders());
	}

	@ExceptionHandler
	ResponseEntity<?> handle(RefusedCallerException ex, @Nullable Locale locale, Q request) {
		boolean isBanned = ex instanceof BlockedCallerException blocked && blocked.isBanned();
		ProblemDetail problem = problem(isBanned ? this.settings.banned() : HttpStatus.FORBIDDEN, ex);
		return respond(ex, request, localized(problem, ex, locale), new HttpHeaders());
	}

	private ProblemDetail localized(ProblemDetail problem, RuntimeException ex, @Nullable Locale locale) {
		this.settings.messages().of(ex.getClass(), () -> locale).applyTo(problem);
		return problem;
	}

	private ResponseEntity<?> respond(RuntimeException rejection, Q request, ProblemDetail problem,
			HttpHeaders headers) {
		headers.set(HttpHeaders.CACHE_CONTROL, Rejections.NO_STORE);
		ResponseEntity<ProblemDetail> standard = ResponseEntity.status(problem.getStatus())
			.headers(headers)
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.body(problem);
		return withNoStore(this.settings.customizer().customize(rejection, standard, common(request)));
	}

	/**
	 * Returns a request as the type that both web stacks share.
	 * @param request the rejected request
	 * @return the same request
	 */
	protected abstract HttpRequest common(Q request);

	/**
	 * Forbids caches to store a response, unless it has its own {@code Cache-Control}.
	 */
	private static ResponseEntity<?> withNoStore(ResponseEntity<?> response) {
		if (response.getHeaders().containsHeader(HttpHeaders.CACHE_CONTROL)) {
			return response;
		}
		return ResponseEntity.status(response.getStatusCode())
			.headers(response.getHeaders())
			.header(HttpHeaders.CACHE_CONTROL, Rejections.NO_STORE)
			.body(response.getBody());
	}

	private String retryAfter(long seconds) {
		return Long.toString(seconds + this.settings.jitter().getAsLong());
	}

	private static ProblemDetail problem(HttpStatus status, RuntimeException ex) {
		return problem(status, Objects.requireNonNull(Rejection.of(ex)));
	}

	private static ProblemDetail problem(HttpStatus status, Rejection rejection) {
		ProblemDetail problem = ProblemDetail.forStatus(status);
		problem.setTitle(rejection.title());
		if (!rejection.violatedPolicies().isEmpty()) {
			problem.setProperty(VIOLATED_POLICIES, rejection.violatedPolicies());
		}
		return problem;
	}

}
