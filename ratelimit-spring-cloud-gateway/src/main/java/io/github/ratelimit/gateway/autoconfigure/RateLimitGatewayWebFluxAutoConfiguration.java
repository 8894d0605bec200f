package io.github.ratelimit.gateway.autoconfigure;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.web.RateLimitReactiveAutoConfiguration;
import io.github.ratelimit.gateway.RoutePolicies;
import io.github.ratelimit.gateway.webflux.PolicyRateLimiter;
import io.github.ratelimit.gateway.webflux.PropertyRouteCheck;
import io.github.ratelimit.gateway.webflux.RateLimitGatewayFilterFactory;
import io.github.ratelimit.http.RateLimitHeaders;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.web.RouteLimits;
import io.github.ratelimit.spring.web.reactive.GatewayRoutes;
import io.github.ratelimit.spring.web.reactive.ReactiveRequestLimiter;
import io.github.ratelimit.spring.web.reactive.ReactiveRouteLimiter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.gateway.config.GatewayAutoConfiguration;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Primary;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link AutoConfiguration Auto-configuration} for rate limits in Spring Cloud Gateway on
 * WebFlux. If limits are disabled, routes keep their filters, which let all requests
 * proceed.
 */
@AutoConfiguration(after = RateLimitReactiveAutoConfiguration.class, before = GatewayAutoConfiguration.class,
		beforeName = "org.springframework.cloud.gateway.config.GatewayRedisAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(GatewayAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = GatewayProperties.PREFIX + ".enabled", matchIfMissing = true)
@ImportRuntimeHints(GatewayRuntimeHints.WebFlux.class)
public final class RateLimitGatewayWebFluxAutoConfiguration {

	@Bean("io.github.ratelimit.gatewayRoutePolicies")
	RoutePolicies rateLimitGatewayRoutePolicies(ObjectProvider<RouteLimits> routes) {
		return new RoutePolicies(routes::getIfAvailable);
	}

	@Bean("io.github.ratelimit.gatewayFilterFactory")
	RateLimitGatewayFilterFactory rateLimitGatewayFilterFactory(RoutePolicies policies,
			ObjectProvider<ReactiveRouteLimiter> limiter) {
		return new RateLimitGatewayFilterFactory(policies, SingletonSupplier.ofNullable(limiter::getIfAvailable));
	}

	@Bean("io.github.ratelimit.gatewayLimitedRoutes")
	GatewayRoutes rateLimitGatewayLimitedRoutes() {
		return RateLimitGatewayFilterFactory.limitedRoutes();
	}

	@Bean("io.github.ratelimit.gatewayPropertyRouteCheck")
	PropertyRouteCheck rateLimitGatewayPropertyRouteCheck(GatewayProperties properties, ConfigurationService arguments,
			RateLimitGatewayFilterFactory filters, RoutePolicies policies) {
		return new PropertyRouteCheck(properties, arguments, filters, policies);
	}

	/** Takes precedence over the gateway's own, to which it leaves other routes. */
	@Bean("io.github.ratelimit.gatewayPolicyRateLimiter")
	@Primary
	@ConditionalOnMissingBean(RateLimiter.class)
	PolicyRateLimiter rateLimitGatewayPolicyRateLimiter(ObjectProvider<io.github.ratelimit.RateLimiter> limiter,
			ObjectProvider<RateLimiter<?>> all, ObjectProvider<RateLimitProperties> properties) {
		RateLimitProperties enabled = properties.getIfAvailable();
		return new PolicyRateLimiter(SingletonSupplier.ofNullable(limiter::getIfAvailable), SingletonSupplier
			.ofNullable(
					() -> all.stream().filter((each) -> !(each instanceof PolicyRateLimiter)).findFirst().orElse(null)),
				(enabled != null) ? enabled.http().headers() : RateLimitHeaders.NONE);
	}

	/** The limiter of routes, unless limits are disabled. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(ReactiveRequestLimiter.class)
	static class Limiter {

		@Bean("io.github.ratelimit.routeLimits")
		RouteLimits rateLimitRouteLimits(Policies policies, KeyResolvers keys) {
			return new RouteLimits(policies, keys);
		}

		@Bean("io.github.ratelimit.reactiveRouteLimiter")
		ReactiveRouteLimiter rateLimitReactiveRouteLimiter(ReactiveRequestLimiter limiter, RouteLimits routes) {
			return new ReactiveRouteLimiter(limiter, routes);
		}

	}

}
