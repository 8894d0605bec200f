package io.github.ratelimit.sample.docs;

import java.util.List;
import java.util.Map;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.LimitOverrides;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/**
 * Limits that single callers have negotiated.
 */
@Profile("docs")
@Configuration(proxyBeanMethods = false)
class NegotiatedLimits {

	@Bean
	LimitOverrides negotiated(Map<String, String> contracts) {
		return (policy, key) -> {
			String limit = contracts.get(key);
			return (limit != null) ? List.of(Limit.parse(limit, Algorithm.TOKEN_BUCKET)) : List.of();
		};
	}

}
