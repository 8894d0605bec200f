package io.github.ratelimit.sample;

import java.util.Comparator;
import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.http.RateLimitFields;
import org.jspecify.annotations.Nullable;

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
			.status(decision.allowed() ? HttpStatus.OK : HttpStatus.TOO_MANY_REQUESTS);
		if (!decision.limits().isEmpty()) {
			response.header(RateLimitFields.RATE_LIMIT_POLICY, RateLimitFields.rateLimitPolicy(decision))
				.header(RateLimitFields.RATE_LIMIT, RateLimitFields.rateLimit(decision));
		}
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
	 * A decision as JSON: its tightest limit, and each of them. There is none where the
	 * store failed and the policy lets calls through.
	 */
	record Answer(boolean allowed, @Nullable Long limit, @Nullable Long remaining, @Nullable Long retryAfterMicros,
			@Nullable Long resetAfterMicros, long storeTimeMicros, List<LimitAnswer> limits) {

		static Answer of(Decision decision) {
			long time = decision.storeTimeMicros();
			List<LimitAnswer> limits = decision.limits().stream().map((limit) -> LimitAnswer.of(limit, time)).toList();
			return limits.stream()
				.min(Comparator.comparingLong(LimitAnswer::retryAfterMicros)
					.reversed()
					.thenComparingLong(LimitAnswer::remaining))
				.map((tightest) -> new Answer(decision.allowed(), tightest.limit(), tightest.remaining(),
						tightest.retryAfterMicros(), tightest.resetAfterMicros(), time, limits))
				.orElseGet(() -> new Answer(decision.allowed(), null, null, null, null, time, limits));
		}

	}

	/**
	 * The state of one limit.
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
