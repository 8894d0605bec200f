package io.github.ratelimit.test.app;

import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.key.PlanResolver;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Resolvers that slices of the application lack.
 */
@Configuration(proxyBeanMethods = false)
public class Accounts {

	@Bean
	KeyResolver account() {
		return (call) -> call.caller().header("X-Account");
	}

	@Bean
	KeyResolver staff() {
		return (call) -> call.caller().header("X-Staff");
	}

	@Bean
	PlanResolver accountPlan() {
		return (policy, key, call) -> call.caller().header("X-Plan");
	}

}
