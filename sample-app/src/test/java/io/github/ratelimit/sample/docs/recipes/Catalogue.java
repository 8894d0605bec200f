package io.github.ratelimit.sample.docs.recipes;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.RateLimited;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Service;

/**
 * A backend that users and a job share.
 */
@Profile("docs")
@Service
class Catalogue {

	private final Set<String> index = ConcurrentHashMap.newKeySet();

	@RateLimited("catalogue")
	String find(String article) {
		return "Found " + article;
	}

	@RateLimited("catalogue-jobs")
	void index(String article) {
		this.index.add(article);
	}

}
