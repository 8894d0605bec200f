package io.github.ratelimit.autoconfigure;

import java.time.Duration;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.store.RateLimitStoreAutoConfiguration;
import io.github.ratelimit.autoconfigure.store.StoreChoice;
import io.github.ratelimit.spring.actuate.RateLimitsEndpoint;
import io.github.ratelimit.spring.top.TopExchange;
import io.github.ratelimit.spring.top.TopKeys;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for the keys that are denied most and
 * spend most, which the endpoint shows.
 */
@AutoConfiguration(after = RateLimitStoreAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBooleanProperty(name = { "ratelimit.enabled", "ratelimit.top.enabled" }, matchIfMissing = true)
@ConditionalOnAvailableEndpoint(RateLimitsEndpoint.class)
public final class RateLimitTopAutoConfiguration {

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	@Bean("io.github.ratelimit.topKeys")
	TopKeys rateLimitTopKeys(RateLimitProperties properties, StoreChoice choice, ObjectProvider<TopExchange> own) {
		return new TopKeys(own.getIfAvailable(choice.stores()::topExchange), properties.top().showKeys(),
				System::nanoTime);
	}

	@Bean("io.github.ratelimit.topPublisher")
	BackgroundTask rateLimitTopPublisher(TopKeys keys) {
		return new BackgroundTask("ratelimit-top", keys::publish, INTERVAL);
	}

}
