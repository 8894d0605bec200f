package io.github.ratelimit.autoconfigure.integration;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.web.RateLimitReactiveAutoConfiguration;
import io.github.ratelimit.autoconfigure.web.RateLimitServletAutoConfiguration;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.openapi.OperationLimits;
import io.github.ratelimit.spring.openapi.RateLimitOperationCustomizer;
import io.github.ratelimit.spring.openapi.RateLimitRuleCustomizer;
import io.github.ratelimit.spring.web.RateLimitRules;
import io.github.ratelimit.spring.web.servlet.ServletRequests;
import io.swagger.v3.oas.models.OpenAPI;
import org.springdoc.core.customizers.GlobalOperationComponentsCustomizer;
import org.springdoc.core.utils.SpringDocUtils;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * {@link AutoConfiguration Auto-configuration} for limits in OpenAPI documents.
 */
@AutoConfiguration(after = { RateLimitServletAutoConfiguration.class, RateLimitReactiveAutoConfiguration.class })
@ConditionalOnWebApplication
@ConditionalOnClass({ GlobalOperationComponentsCustomizer.class, OpenAPI.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitOpenApiAutoConfiguration {

	@Bean("io.github.ratelimit.operationLimits")
	OperationLimits rateLimitOperationLimits(Policies policies, RateLimitProperties properties) {
		return new OperationLimits(policies, properties.http().headers());
	}

	/** A handler's {@link Decision} is no parameter of the request. */
	@Bean("io.github.ratelimit.operationCustomizer")
	RateLimitOperationCustomizer rateLimitOperationCustomizer(RateLimitedMethods methods, OperationLimits limits) {
		SpringDocUtils.getConfig().addRequestWrapperToIgnore(Decision.class);
		return new RateLimitOperationCustomizer(methods, limits);
	}

	@Bean("io.github.ratelimit.ruleCustomizer")
	@ConditionalOnBean(RateLimitRules.class)
	RateLimitRuleCustomizer rateLimitRuleCustomizer(RateLimitRules rules, OperationLimits limits,
			ObjectProvider<ServletRequests> servlets, Environment environment) {
		boolean isServlet = servlets.getIfAvailable() != null;
		String path = isServlet ? environment.getProperty("spring.mvc.servlet.path", "") : "";
		return new RateLimitRuleCustomizer(rules, limits, StringUtils.trimTrailingCharacter(path, '/'));
	}

}
