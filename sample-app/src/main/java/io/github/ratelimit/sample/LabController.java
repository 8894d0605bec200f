package io.github.ratelimit.sample;

import java.util.Comparator;
import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.http.RateLimitFields;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Calls the limiter by hand, for scripts that want to see its decisions.
 */
@RestController
class LabController {

	private final RateLimiter limiter;

	LabController(RateLimiter limiter) {
		this.limiter = limiter;
	}

	@PostMapping("/lab/{policy}")
	ResponseEntity<Answer> acquire(@PathVariable String policy, @RequestParam String key,
			@RequestParam(defaultValue = "1") long cost) {
		Decision decision = this.limiter.acquire(new Charge(policy, key, cost));
		ResponseEntity.BodyBuilder response = ResponseEntity
			.status(decision.allowed() ? HttpStatus.OK : HttpStatus.TOO_MANY_REQUESTS)
			.header(RateLimitFields.RATE_LIMIT_POLICY, RateLimitFields.rateLimitPolicy(decision))
			.header(RateLimitFields.RATE_LIMIT, RateLimitFields.rateLimit(decision));
		if (!decision.allowed()) {
			response.header(RateLimitFields.RETRY_AFTER, Long.toString(RateLimitFields.retryAfter(decision)));
		}
		return response.body(Answer.of(decision));
	}

	/** An unknown policy, or a cost that no wait would make fit. */
	@ExceptionHandler(IllegalArgumentException.class)
	ProblemDetail refused(IllegalArgumentException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, ex.getMessage());
	}

	/**
	 * A decision as JSON: its tightest limit, and each of them.
	 */
	record Answer(boolean allowed, long limit, long remaining, long retryAfterMicros, long resetAfterMicros,
			long storeTimeMicros, List<LimitAnswer> limits) {

		static Answer of(Decision decision) {
			LimitDecision tightest = decision.limits()
				.stream()
				.min(Comparator.comparingLong(LimitDecision::retryAfterMicros)
					.reversed()
					.thenComparingLong(LimitDecision::remaining))
				.orElseThrow();
			long time = decision.storeTimeMicros();
			return new Answer(decision.allowed(), tightest.limit().rate().permits(), tightest.remaining(),
					tightest.retryAfterMicros(), tightest.resetAfterMicros(), time,
					decision.limits().stream().map((limit) -> LimitAnswer.of(limit, time)).toList());
		}

	}

	/**
	 * What one limit said.
	 */
	record LimitAnswer(String policy, String rate, boolean allowed, long limit, long remaining, long retryAfterMicros,
			long resetAfterMicros, long storeTimeMicros) {

		static LimitAnswer of(LimitDecision limit, long time) {
			return new LimitAnswer(limit.policy(), limit.limit().toString(), limit.allowed(),
					limit.limit().rate().permits(), limit.remaining(), limit.retryAfterMicros(),
					limit.resetAfterMicros(), time);
		}

	}

}
