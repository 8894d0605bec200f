package io.github.ratelimit.autoconfigure.consumption;

import java.time.Duration;
import java.time.InstantSource;

import io.github.ratelimit.autoconfigure.BackgroundTask;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.properties.PropertyCheck;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.Consumption;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.consumption.ConsumptionDelivery;
import io.github.ratelimit.spring.consumption.ConsumptionListener;
import io.github.ratelimit.spring.consumption.ConsumptionSink;
import io.github.ratelimit.spring.control.Controls;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link AutoConfiguration Auto-configuration} for the delivery of what keys have spent
 * to a {@link ConsumptionSink}. Without one, nothing is counted.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnBean(ConsumptionSink.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitConsumptionAutoConfiguration {

	private static final String PREFIX = RateLimitProperties.PREFIX + ".consumption";

	/** The time between two deliveries, and between attempts after a failure. */
	private static final Duration PAUSE = Duration.ofSeconds(5);

	/** The sink is created with other beans, as it may need some that are limited. */
	@Bean("io.github.ratelimit.consumptionDelivery")
	ConsumptionDelivery rateLimitConsumptionDelivery(ObjectProvider<ConsumptionSink> sink,
			RateLimitProperties properties) {
		Consumption consumption = properties.consumption();
		return new ConsumptionDelivery(sink::getObject, atLeastOne("max-pending", consumption.maxPending()),
				consumption.showKeys());
	}

	@Bean("io.github.ratelimit.consumptionListener")
	ConsumptionListener rateLimitConsumptionListener(Policies policies, ConsumptionDelivery delivery,
			RateLimitProperties properties) {
		Consumption consumption = properties.consumption();
		return new ConsumptionListener(policies, delivery, interval(consumption.interval()),
				atLeastOne("max-keys", consumption.maxKeys()), InstantSource.system());
	}

	/** Delivers for the last time once web servers and listeners have stopped. */
	@Bean("io.github.ratelimit.consumptionTask")
	BackgroundTask rateLimitConsumptionTask(ConsumptionListener listener) {
		return new BackgroundTask("ratelimit-consumption", listener::deliver, PAUSE, listener::deliverAll,
				Controls.PHASE);
	}

	/** Stops the start-up if there are several sinks, none of them primary. */
	@Bean("io.github.ratelimit.consumptionCheck")
	SmartInitializingSingleton rateLimitConsumptionCheck(ObjectProvider<ConsumptionSink> sink) {
		return sink::getObject;
	}

	private static Duration interval(Duration interval) {
		return PropertyCheck.checked(PREFIX + ".interval", interval, () -> {
			boolean areMinutes = interval.equals(Duration.ofMinutes(interval.toMinutes()));
			if (!areMinutes || interval.toMinutes() < 1 || Duration.ofDays(1).toMinutes() % interval.toMinutes() != 0) {
				throw new IllegalArgumentException(
						"it is whole minutes, of which a day has a whole number, such as 1m, 5m or 1h");
			}
			return interval;
		});
	}

	private static int atLeastOne(String name, int number) {
		return PropertyCheck.checked(PREFIX + '.' + name, number, () -> {
			if (number < 1) {
				throw new IllegalArgumentException("it is at least 1");
			}
			return number;
		});
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class Meters {

		@Bean("io.github.ratelimit.consumptionMeters")
		ConsumptionMeters rateLimitConsumptionMeters(MeterRegistry registry, ConsumptionDelivery delivery) {
			return new ConsumptionMeters(registry, delivery);
		}

	}

}
