package io.github.ratelimit.sample.docs;

import java.util.Map;

import io.github.ratelimit.key.PlanResolver;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/**
 * Plans by the keys of those who have them.
 */
@Profile("docs")
@Configuration(proxyBeanMethods = false)
public class ContractPlans {

	private final Map<String, String> contracts = Map.of("principal:alice", "premium");

	@Bean
	PlanResolver contracts() {
		return (policy, key, call) -> this.contracts.getOrDefault(key, "free");
	}

}
