package io.github.ratelimit.spring.web;

import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

/**
 * How an application answers requests that are refused: register one as a bean. It is
 * asked for denials (a {@code RateLimitExceededException}), requests that no store could
 * decide on (a {@code RateLimitStoreException}), those whose cost can never be admitted
 * or is none (an {@code InvalidCostException}) and those of callers who are not known or
 * blocked (a {@code RefusedCallerException}). Implementations are thread-safe.
 */
@FunctionalInterface
public interface RateLimitAnswer {

	/**
	 * The answer to a request that was refused.
	 * @param refusal why
	 * @param standard what would be answered without this bean
	 * @return what to answer: the standard, or anything made of it
	 */
	ResponseEntity<?> to(RuntimeException refusal, ResponseEntity<ProblemDetail> standard);

}
