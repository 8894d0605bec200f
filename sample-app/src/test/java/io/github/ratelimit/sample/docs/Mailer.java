package io.github.ratelimit.sample.docs;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.detached.TokenTerms;

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
		Decision decision = this.limiter.peek(List.of(Charge.of("mails", tenant)));
		return decision.limits().get(0).remaining();
	}

	boolean sendPatiently(String tenant) {
		Charge patient = Charge.of("mails", tenant).waitingUpTo(Duration.ofSeconds(5));
		return this.limiter.acquire(patient).allowed();
	}

	void sendAtUnknownCost(String tenant, int estimate, IntSupplier post) {
		Reservation reservation = this.limiter.reserve(List.of(new Charge("mails", tenant, estimate)));
		if (!reservation.decision().allowed()) {
			throw new RateLimitExceededException(reservation.decision());
		}
		int actual = post.getAsInt();
		this.limiter.adjust(reservation, actual);
	}

	String enqueue(String tenant, int estimate) {
		Reservation reservation = this.limiter.reserve(List.of(new Charge("mails", tenant, estimate)));
		if (!reservation.decision().allowed()) {
			throw new RateLimitExceededException(reservation.decision());
		}
		TokenTerms terms = TokenTerms.expiringAfter(Duration.ofMinutes(10)).refundingUnsettled();
		return this.limiter.detach(reservation, terms);
	}

	boolean sent(String token, int actual) {
		Settlement settlement = this.limiter.adjust(token, actual);
		return settlement == Settlement.SETTLED;
	}

	void forgive(String tenant) {
		this.limiter.reset("mails", tenant);
	}

	CompletionStage<Boolean> sendLater(String tenant) {
		return this.limiter.acquireAsync(Charge.of("mails", tenant)).thenApply(Decision::allowed);
	}

}
