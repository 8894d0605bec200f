package io.github.ratelimit.sample;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.RateLimited;

import org.springframework.stereotype.Service;

/**
 * A bean that is no controller: everyone together may call it so often, and each client
 * so often. Both are one decision.
 */
@Service
class QuoteArchive {

	@RateLimited(policy = "archive", key = "global")
	@RateLimited(policy = "archive-per-client", key = "client-ip")
	CompletableFuture<String> oldest() {
		return CompletableFuture.completedFuture("Know thyself.");
	}

}
