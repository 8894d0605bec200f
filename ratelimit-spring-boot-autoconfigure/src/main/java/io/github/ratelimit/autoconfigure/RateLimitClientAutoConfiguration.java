package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.client.RateLimitedClients;
import io.github.ratelimit.spring.client.RateLimitedWebClients;
import io.github.ratelimit.spring.client.UpstreamPauses;
import io.github.ratelimit.spring.control.Controls;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;

/**
 * {@link AutoConfiguration Auto-configuration} for limits of outbound calls. The
 * factories of clients are created once an application injects them.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnClass(ClientHttpRequestInterceptor.class)
@Import(HttpServiceGroupConfiguration.class)
public final class RateLimitClientAutoConfiguration {

	@Bean("io.github.ratelimit.upstreams")
	@Lazy
	UpstreamPauses rateLimitUpstreams(Controls controls) {
		return new UpstreamPauses(controls);
	}

	@Bean("io.github.ratelimit.limitedClients")
	@Lazy
	RateLimitedClients rateLimitedClients(RateLimiter limiter, Policies policies, UpstreamPauses upstreams) {
		return new RateLimitedClients(limiter, policies, upstreams);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ExchangeFilterFunction.class)
	static class ReactiveClients {

		@Bean("io.github.ratelimit.limitedWebClients")
		@Lazy
		RateLimitedWebClients rateLimitedWebClients(RateLimiter limiter, Policies policies, UpstreamPauses upstreams) {
			return new RateLimitedWebClients(limiter, policies, upstreams);
		}

	}

}
