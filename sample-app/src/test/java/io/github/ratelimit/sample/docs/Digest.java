package io.github.ratelimit.sample.docs;

import io.github.ratelimit.RateLimited;

import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Limited methods that no request calls.
 */
class Digest {

	private int sent;

	@Scheduled(cron = "0 */5 * * * *")
	@RateLimited("digest")
	void sendDigest() {
		this.sent++;
	}

	@EventListener
	@RateLimited(policy = "welcome", key = "#registered.tenant()")
	void welcome(Registered registered) {
		this.sent++;
	}

	int sent() {
		return this.sent;
	}

	/** Somebody joined a tenant. */
	record Registered(String tenant) {

	}

}
