package io.github.ratelimit.sample.live;

import java.util.UUID;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.http.RateLimitHeaders;
import io.github.ratelimit.policy.KeyControl.Grant;
import io.github.ratelimit.policy.Policies;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Calls that are limited by the policy of an algorithm. Each visitor has her own key, and
 * may choose among the limits that are configured as the policy's plans.
 */
@RestController
class CallController {

	private final RateLimiter limiter;

	private final Policies policies;

	private final EventStreams streams;

	private final JsonMapper json;

	CallController(RateLimiter limiter, Policies policies, EventStreams streams, JsonMapper json) {
		this.limiter = limiter;
		this.policies = policies;
		this.streams = streams;
		this.json = json;
	}

	/** Returns a visitor's key as the configured key {@code #visitor} writes it. */
	static String key(UUID visitor) {
		return "expression:" + visitor;
	}

	/** Limits a call. The exceptions become the responses that callers usually get. */
	@PostMapping("/live/calls/{algorithm}")
	ResponseEntity<Void> call(@PathVariable String algorithm, @RequestParam UUID visitor,
			@RequestParam(required = false) @Nullable String plan) {
		Charge charge = charge(algorithm, visitor, plan);
		try {
			Decision decision = this.limiter.acquire(charge);
			send(visitor, CallEvent.of(charge.policy(), decision, isGranted(charge, decision)));
			if (!decision.allowed()) {
				throw new RateLimitExceededException(decision);
			}
			ResponseEntity.HeadersBuilder<?> response = ResponseEntity.noContent();
			RateLimitHeaders.DRAFT_11.of(decision).forEach(response::header);
			return response.build();
		}
		catch (BlockedCallerException ex) {
			send(visitor, CallEvent.banned(charge.policy()));
			throw ex;
		}
	}

	private Charge charge(String algorithm, UUID visitor, @Nullable String plan) {
		String policy = "live-" + Algorithm.of(algorithm).id();
		if (plan != null && !this.policies.get(policy).plans().containsKey(plan)) {
			throw new IllegalArgumentException("there is no such plan");
		}
		if (!this.streams.isOpen(visitor)) {
			throw new ErrorResponseException(HttpStatus.CONFLICT, ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT,
					"open a stream of decisions for this visitor first"), null);
		}
		return Charge.of(policy, key(visitor)).withPlan(plan);
	}

	/** Returns whether a grant admitted a call that the limit would have denied. */
	private boolean isGranted(Charge charge, Decision decision) {
		Grant grant = this.policies.controls().of(charge.policy(), charge.key()).grant();
		return grant != null && decision.allowed()
				&& decision.limits().stream().anyMatch((limit) -> limit.limit().equals(grant.limit()));
	}

	private void send(UUID visitor, CallEvent event) {
		this.streams.send(visitor, "call", this.json.writeValueAsString(event));
	}

}
