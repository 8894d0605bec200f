package io.github.ratelimit.sample.docs;

import java.util.List;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Decision;

/**
 * Calls the limiter by hand.
 */
class Mailer {

	private final RateLimiter limiter;

	Mailer(RateLimiter limiter) {
		this.limiter = limiter;
	}

	void send(String tenant, List<String> recipients) {
		Decision decision = this.limiter.acquire(new Charge("mails", tenant, recipients.size()));
		if (!decision.allowed()) {
			throw new RateLimitExceededException(decision);
		}
	}

	boolean sendWithin(String tenant, String user) {
		return this.limiter.acquire(List.of(Charge.of("mails", tenant), Charge.of("mails-per-user", user))).allowed();
	}

	long left(String tenant) {
		Decision decision = this.limiter.acquire(new Charge("mails", tenant, 0));
		return decision.limits().get(0).remaining();
	}

	CompletionStage<Boolean> sendLater(String tenant) {
		return this.limiter.acquireAsync(Charge.of("mails", tenant)).thenApply(Decision::allowed);
	}

}
