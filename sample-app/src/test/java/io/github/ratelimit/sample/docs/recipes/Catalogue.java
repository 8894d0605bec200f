package io.github.ratelimit.sample.docs.recipes;

import io.github.ratelimit.RateLimited;

/**
 * A backend that users and a job share.
 */
class Catalogue {

	@RateLimited("catalogue")
	String find(String article) {
		return "Found " + article;
	}

	@RateLimited("catalogue-jobs")
	void index(String article) {
		// ...
	}

}
