package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * A combination of features of two calls of an upstream, with what the documentation says
 * of the second.
 *
 * @param limited the policy
 * @param answer the answer to the first call
 * @param meanwhile what happens before the second
 * @param cost the cost of a call
 */
record OutboundRow(Limited limited, Answer answer, Meanwhile meanwhile, Cost cost) {

	private static final Duration LONGER = Duration.ofSeconds(20);

	/** The policy. */
	enum Limited {

		RATE("3/1h"), SLOT("1 concurrent"), RATE_AND_SLOT("3/1h", "1 concurrent"), PATIENT("9/1h"),
		PATIENT_SLOT("9/1h", "1 concurrent"), SHADOW("3/1h"), OFF("3/1h");

		private final List<String> limits;

		Limited(String... limits) {
			this.limits = List.of(limits);
		}

		Policy policy() {
			Policy policy = new Policy("row", this.limits.stream().map(Limit::parse).toList(), List.of(Policy.EVERYONE))
				.withOptions(PolicyOptions.STANDARD.withMaxWait(isPatient() ? Duration.ofSeconds(30) : Duration.ZERO));
			return switch (this) {
				case SHADOW -> policy.withMode(EnforcementMode.SHADOW, List.of());
				case OFF -> policy.withMode(EnforcementMode.OFF, List.of());
				default -> policy;
			};
		}

		boolean isPatient() {
			return this == PATIENT || this == PATIENT_SLOT;
		}

	}

	/** The answer to the first call. */
	enum Answer {

		FINE(200, null, null), DENIED(429, "7", null), UNAVAILABLE(503, "7", null),
		SPENT(200, null, "\"hour\";r=0;t=7"), DENIED_AND_SPENT(429, "2", "\"hour\";r=0;t=7"),
		SPENT_AND_DENIED_LONGER(429, "7", "\"hour\";r=0;t=2"), FAILED(500, "7", null), THROWN(0, null, null);

		private final int status;

		private final @Nullable String retryAfter;

		private final @Nullable String rateLimit;

		Answer(int status, @Nullable String retryAfter, @Nullable String rateLimit) {
			this.status = status;
			this.retryAfter = retryAfter;
			this.rateLimit = rateLimit;
		}

		OutboundPairsContract.Response response() {
			HttpHeaders headers = new HttpHeaders();
			if (this.retryAfter != null) {
				headers.set("Retry-After", this.retryAfter);
			}
			if (this.rateLimit != null) {
				headers.set("RateLimit", this.rateLimit);
			}
			return new OutboundPairsContract.Response(this.status, headers);
		}

		private boolean pauses() {
			return this != FINE && this != FAILED && this != THROWN;
		}

	}

	/** An event between the calls. */
	enum Meanwhile {

		NOTHING, SECONDS_PASS, BANNED, PAUSED, PAUSED_AT_DECISION, STORE_FAILS

	}

	/** The cost of a call. */
	enum Cost {

		NOTHING(0), ONE(1), TWO(2);

		private final int permits;

		Cost(int permits) {
			this.permits = permits;
		}

		int permits() {
			return this.permits;
		}

	}

	/** Returns the pause that the second call finds. */
	Duration pause() {
		if (this.meanwhile == Meanwhile.PAUSED) {
			return LONGER;
		}
		return (this.answer.pauses() && this.meanwhile != Meanwhile.SECONDS_PASS) ? Duration.ofSeconds(7)
				: Duration.ZERO;
	}

	/** Returns how the second call fails, or {@code null} if it is made. */
	@Nullable Class<? extends RuntimeException> failure() {
		boolean isPatient = this.limited.isPatient();
		if (!isPatient && !pause().isZero()) {
			return UpstreamPausedException.class;
		}
		if (this.meanwhile == Meanwhile.BANNED) {
			return BlockedCallerException.class;
		}
		if (isDenied()) {
			return RateLimitExceededException.class;
		}
		return (!isPatient && isPausedAtDecision()) ? UpstreamPausedException.class : null;
	}

	/** Returns how long the second call waits if it is made. */
	Duration waits() {
		return isPausedAtDecision() ? pause().plus(LONGER) : pause();
	}

	/** Returns what both calls have spent of the rate, by the store. */
	long spent() {
		boolean isCounted = failure() == null && this.meanwhile != Meanwhile.STORE_FAILS && !isBeyondShadow();
		return isCounted ? 2L * this.cost.permits() : this.cost.permits();
	}

	private boolean isDenied() {
		boolean isFull = this.limited == Limited.RATE || this.limited == Limited.RATE_AND_SLOT;
		return isFull && this.cost == Cost.TWO && this.meanwhile != Meanwhile.STORE_FAILS;
	}

	private boolean isBeyondShadow() {
		return this.limited == Limited.SHADOW && this.cost == Cost.TWO;
	}

	/** Returns whether a pause begins when the store decides on the second call. */
	private boolean isPausedAtDecision() {
		return this.meanwhile == Meanwhile.PAUSED_AT_DECISION && this.limited != Limited.OFF;
	}

}
