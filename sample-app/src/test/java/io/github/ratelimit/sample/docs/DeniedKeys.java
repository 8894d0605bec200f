package io.github.ratelimit.sample.docs;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.spring.event.RateLimitDenied;

import org.springframework.context.annotation.Profile;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * A listener to application events.
 */
@Profile("docs")
@Component
class DeniedKeys {

	private final Set<String> keys = ConcurrentHashMap.newKeySet();

	@EventListener
	void remember(RateLimitDenied event) {
		this.keys.add(event.policy() + " denied " + event.key());
	}

	Set<String> keys() {
		return this.keys;
	}

}
