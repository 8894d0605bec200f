package io.github.ratelimit.autoconfigure;

import java.util.stream.Collectors;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.client.RateLimitedClients;
import io.github.ratelimit.spring.client.RateLimitedWebClients;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer;
import org.springframework.web.reactive.function.client.support.WebClientHttpServiceGroupConfigurer;
import org.springframework.web.service.registry.HttpServiceProxyRegistry;

/**
 * The limits of clients of HTTP service groups, where properties name any.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RestClientHttpServiceGroupConfigurer.class)
@Conditional(HttpServiceGroupConfiguration.OnGroups.class)
class HttpServiceGroupConfiguration {

	private static final String PREFIX = RateLimitProperties.PREFIX + ".clients";

	@Bean("io.github.ratelimit.httpServiceGroupPolicies")
	HttpServiceGroupPolicies rateLimitHttpServiceGroupPolicies(RateLimitProperties properties, Policies policies) {
		return new HttpServiceGroupPolicies(PREFIX, properties.clients(), policies);
	}

	@Bean("io.github.ratelimit.httpServiceGroupCheck")
	SmartInitializingSingleton rateLimitHttpServiceGroupCheck(HttpServiceGroupPolicies policies,
			ObjectProvider<HttpServiceProxyRegistry> registries) {
		return () -> policies.requireGroups(registries.stream()
			.flatMap((registry) -> registry.getGroupNames().stream())
			.collect(Collectors.toUnmodifiableSet()));
	}

	@Bean("io.github.ratelimit.restClientGroups")
	RestClientHttpServiceGroupConfigurer rateLimitRestClientGroups(HttpServiceGroupPolicies policies,
			RateLimitedClients clients) {
		return (groups) -> policies.byGroup()
			.forEach((group, policy) -> groups.filterByName(group)
				.forEachClient((any, client) -> client.requestInterceptor(clients.interceptor(policy))));
	}

	/** The groups that use WebFlux's client. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(WebClientHttpServiceGroupConfigurer.class)
	static class Reactive {

		@Bean("io.github.ratelimit.webClientGroups")
		WebClientHttpServiceGroupConfigurer rateLimitWebClientGroups(HttpServiceGroupPolicies policies,
				RateLimitedWebClients clients) {
			return (groups) -> policies.byGroup()
				.forEach((group, policy) -> groups.filterByName(group)
					.forEachClient((any, client) -> client.filter(clients.filter(policy))));
		}

	}

	/** Matches if properties limit any group. */
	static final class OnGroups extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			boolean isAny = Binder.get(context.getEnvironment())
				.bind(PREFIX, Bindable.mapOf(String.class, String.class))
				.isBound();
			ConditionMessage.Builder message = ConditionMessage.forCondition("Limits of HTTP service groups");
			return isAny ? ConditionOutcome.match(message.foundExactly(PREFIX))
					: ConditionOutcome.noMatch(message.didNotFind("property").items(PREFIX));
		}

	}

}
