package io.github.ratelimit.sample.docs;

import io.github.ratelimit.RateLimited;

/**
 * A class that is limited as a whole, and one of its methods further.
 */
@RateLimited("accounts")
class Accounts {

	String open(String name) {
		return "opened " + name;
	}

	@RateLimited(limit = "2/1m", key = "#name")
	String close(String name) {
		return "closed " + name;
	}

	@OncePerMinute
	String export() {
		return "exported";
	}

}
