package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.autoconfigure.properties.NearLimitReader;
import io.github.ratelimit.autoconfigure.properties.PropertyCheck;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.Events;
import io.github.ratelimit.spring.event.DecisionEvents;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for application events and log lines about
 * decisions.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty("ratelimit.events.enabled")
public final class RateLimitEventAutoConfiguration {

	@Bean("io.github.ratelimit.decisionEvents")
	DecisionEvents rateLimitDecisionEvents(RateLimitProperties properties, ApplicationEventPublisher publisher) {
		Events events = properties.events();
		Duration interval = PropertyCheck.checked("ratelimit.events.interval", events.interval(), () -> {
			if (events.interval().toMillis() < 1 || events.interval().compareTo(Duration.ofDays(1)) > 0) {
				throw new IllegalArgumentException("it is from 1ms to 1d");
			}
			return events.interval();
		});
		long start = System.nanoTime();
		return new DecisionEvents(publisher::publishEvent, interval, NearLimitReader.read(properties),
				events.logDenials(), () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
	}

}
