package io.github.ratelimit.gateway.autoconfigure;

import io.github.ratelimit.autoconfigure.web.RateLimitServletAutoConfiguration;
import io.github.ratelimit.gateway.RoutePolicies;
import io.github.ratelimit.gateway.webmvc.PropertyRoutesPostProcessor;
import io.github.ratelimit.gateway.webmvc.RateLimitFilterFunctionFactory;
import io.github.ratelimit.gateway.webmvc.RateLimitFilterFunctions;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.web.RouteLimits;
import io.github.ratelimit.spring.web.servlet.ServletRequestLimiter;
import io.github.ratelimit.spring.web.servlet.ServletRouteLimiter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.cloud.gateway.server.mvc.GatewayServerMvcAutoConfiguration;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.filter.FilterSupplier;
import org.springframework.cloud.gateway.server.mvc.filter.SimpleFilterSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} for rate limits in Spring Cloud Gateway on
 * Spring MVC. If limits are disabled, routes keep their filters, which let all requests
 * proceed.
 */
@AutoConfiguration(after = RateLimitServletAutoConfiguration.class, before = GatewayServerMvcAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(GatewayServerMvcAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = GatewayMvcProperties.PREFIX + ".enabled", matchIfMissing = true)
@ImportRuntimeHints(GatewayRuntimeHints.WebMvc.class)
public final class RateLimitGatewayWebMvcAutoConfiguration {

	@Bean("io.github.ratelimit.gatewayFilterSupplier")
	FilterSupplier rateLimitGatewayFilterSupplier() {
		return new SimpleFilterSupplier(RateLimitFilterFunctions.class);
	}

	@Bean("io.github.ratelimit.gatewayRoutePolicies")
	RoutePolicies rateLimitGatewayRoutePolicies(ObjectProvider<RouteLimits> routes) {
		return new RoutePolicies(routes::getIfAvailable);
	}

	@Bean("io.github.ratelimit.filterFunctionFactory")
	RateLimitFilterFunctionFactory rateLimitFilterFunctionFactory(RoutePolicies policies) {
		return new RateLimitFilterFunctionFactory(policies);
	}

	/** Binds the properties as the gateway does, each time it reads its routes. */
	@Bean("io.github.ratelimit.gatewayPropertyRoutes")
	static PropertyRoutesPostProcessor rateLimitGatewayPropertyRoutes(Environment environment,
			ObjectProvider<RoutePolicies> policies) {
		return new PropertyRoutesPostProcessor(
				() -> Binder.get(environment).bindOrCreate(GatewayMvcProperties.PREFIX, GatewayMvcProperties.class),
				policies::getObject);
	}

	/** The limiter of routes, unless limits are disabled. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(ServletRequestLimiter.class)
	static class Limiter {

		@Bean("io.github.ratelimit.routeLimits")
		RouteLimits rateLimitRouteLimits(Policies policies, KeyResolvers keys) {
			return new RouteLimits(policies, keys);
		}

		@Bean("io.github.ratelimit.servletRouteLimiter")
		ServletRouteLimiter rateLimitServletRouteLimiter(ServletRequestLimiter limiter, RouteLimits routes) {
			return new ServletRouteLimiter(limiter, routes);
		}

	}

}
