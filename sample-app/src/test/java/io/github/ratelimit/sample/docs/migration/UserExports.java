package io.github.ratelimit.sample.docs.migration;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;

/**
 * An export for each user, limited by annotation and in code.
 */
class UserExports {

	private final RateLimiter limiter;

	UserExports(RateLimiter limiter) {
		this.limiter = limiter;
	}

	@RateLimited(policy = "user-exports", key = "#user")
	String exportFor(String user) {
		return "Articles of " + user;
	}

	boolean tryExport(String user) {
		return this.limiter.acquire(Charge.of("user-exports", user)).allowed();
	}

}
