package io.github.ratelimit.gateway.webflux;

import java.util.Map;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.http.RateLimitHeaders;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.charge.DoorContract;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.event.FilterArgsEvent;

/** Requests that the gateway's filter {@code RequestRateLimiter} decides. */
class PolicyRateLimiterDoorTests extends DoorContract {

	/** The filter makes its calls after the permits of the other policy. */
	@Override
	protected boolean worksOnceAdmitted() {
		return false;
	}

	/**
	 * A decision without its request has no end, so that it holds no permit. Reactor may
	 * lose the cancel of the work.
	 */
	@Override
	protected boolean holdsWhatGoesOn() {
		return false;
	}

	@Override
	protected Publisher<?> open(RateLimiter limiter, Supplier<Mono<String>> work) {
		PolicyRateLimiter filter = new PolicyRateLimiter(() -> limiter, () -> null, RateLimitHeaders.DRAFT_11);
		for (String policy : new String[] { HELD, SPENT }) {
			filter.onApplicationEvent(new FilterArgsEvent(this, policy, Map.of("ratelimit.policy", policy)));
		}
		return filter.isAllowed(HELD, Policy.EVERYONE)
			.then(Mono.defer(() -> filter.isAllowed(SPENT, Policy.EVERYONE)))
			.flatMap((response) -> work.get());
	}

}
