package io.github.ratelimit.sample.docs.recipes;

import java.util.Map;

import io.github.ratelimit.key.PermitsResolver;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/**
 * The numbers of calls that customers have agreed on.
 */
@Profile("docs")
@Configuration(proxyBeanMethods = false)
class Agreements {

	private final Map<String, Long> perMinute = Map.of("principal:initech", 250L);

	@Bean
	PermitsResolver quotas() {
		return (policy, key, call) -> this.perMinute.get(key);
	}

}
