package io.github.ratelimit.autoconfigure.check;

import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.check.Endpoint;
import io.github.ratelimit.spring.check.StartCheck;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.web.RateLimitRules;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;

/** The checks of rules in an application on WebFlux. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(RequestMappingHandlerMapping.class)
class ReactiveRuleChecks {

	@Bean
	StartCheck rateLimitRuleChecks(Policies policies, RateLimitRules rules, RateLimitedMethods methods,
			ObjectProvider<RequestMappingHandlerMapping> mappings) {
		return RuleChecks.of(policies, rules, methods,
				() -> mappings.stream()
					.flatMap((mapping) -> mapping.getHandlerMethods().entrySet().stream())
					.flatMap(ReactiveRuleChecks::endpoints)
					.toList());
	}

	private static Stream<Endpoint> endpoints(Map.Entry<RequestMappingInfo, HandlerMethod> handler) {
		RequestMappingInfo mapping = handler.getKey();
		return RuleChecks.endpoints(
				mapping.getPatternsCondition().getPatterns().stream().map(PathPattern::getPatternString).toList(),
				mapping.getMethodsCondition().getMethods(), handler.getValue());
	}

}
