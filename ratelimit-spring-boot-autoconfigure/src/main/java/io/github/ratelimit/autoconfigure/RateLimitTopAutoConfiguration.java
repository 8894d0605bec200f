package io.github.ratelimit.autoconfigure;

import java.time.Duration;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.store.RateLimitRedisAutoConfiguration;
import io.github.ratelimit.spring.actuate.RateLimitsEndpoint;
import io.github.ratelimit.spring.top.TopExchange;
import io.github.ratelimit.spring.top.TopKeys;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for the keys that are denied most and
 * spend most, which the endpoint shows.
 */
@AutoConfiguration(after = RateLimitRedisAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBooleanProperty(name = { "ratelimit.enabled", "ratelimit.top.enabled" }, matchIfMissing = true)
public final class RateLimitTopAutoConfiguration {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	@Bean
	@ConditionalOnAvailableEndpoint(RateLimitsEndpoint.class)
	TopKeys rateLimitTopKeys(RateLimitProperties properties, ObjectProvider<TopExchange> exchange) {
		return new TopKeys(exchange.getIfAvailable(() -> TopExchange.NONE), properties.top().showKeys(),
				System::nanoTime);
	}

	@Bean
	@ConditionalOnAvailableEndpoint(RateLimitsEndpoint.class)
	@ConditionalOnBean(TopExchange.class)
	BackgroundTask rateLimitTopPublisher(TopKeys keys) {
		return new BackgroundTask("ratelimit-top", keys::publish, INTERVAL);
	}

}
