package io.github.ratelimit.sample.docs;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Limited methods that are charged by their outcome, or call a fallback.
 */
@RateLimited("accounts")
class Outcomes {

	@RateLimited(policy = "tokens", cost = "#prompt.maxTokens", actual = "#result.totalTokens")
	Flux<Chunk> complete(Prompt prompt) {
		return Flux.just(new Chunk(prompt.maxTokens() / 2));
	}

	@RateLimited(policy = "login-account", key = "#account", chargeOn = WrongPasswordException.class)
	@RateLimited(policy = "login-address", key = "client-ip", chargeOn = WrongPasswordException.class)
	void logIn(String account, String password) {
		if (!password.equals("secret")) {
			throw new WrongPasswordException();
		}
	}

	@RateLimited(policy = "lookups", chargeWhen = "#result == null")
	@Nullable Account find(String name) {
		return name.isEmpty() ? null : new Account(name);
	}

	@RateLimited(policy = "searches", when = "!#cached", fallback = "cheapSearch")
	String search(String words, boolean cached) {
		return "found " + words;
	}

	String cheapSearch(String words, boolean cached, RateLimitExceededException denial) {
		return "a part of " + words;
	}

	@RateLimited(enabled = false)
	String ping() {
		return "pong";
	}

	record Prompt(long maxTokens) {

	}

	record Chunk(long totalTokens) {

	}

	record Account(String name) {

	}

	static class WrongPasswordException extends RuntimeException {

	}

}
