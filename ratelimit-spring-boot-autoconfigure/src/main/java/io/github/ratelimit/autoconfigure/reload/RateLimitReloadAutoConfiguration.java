package io.github.ratelimit.autoconfigure.reload;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.autoconfigure.BackgroundTask;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMetricsAutoConfiguration;
import io.github.ratelimit.autoconfigure.properties.PolicyReader;
import io.github.ratelimit.autoconfigure.properties.PropertyGroups;
import io.github.ratelimit.autoconfigure.properties.PropertyNames;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.RuleReader;
import io.github.ratelimit.autoconfigure.properties.SchedulesInEffect;
import io.github.ratelimit.autoconfigure.web.RateLimitReactiveAutoConfiguration;
import io.github.ratelimit.autoconfigure.web.RateLimitServletAutoConfiguration;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.control.LastReload;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.metrics.RateLimitMetrics;
import io.github.ratelimit.spring.web.RateLimitRule;
import io.github.ratelimit.spring.web.RateLimitRules;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} for configuration that changes while the
 * application runs.
 */
@AutoConfiguration(after = { RateLimitMethodAutoConfiguration.class, RateLimitServletAutoConfiguration.class,
		RateLimitReactiveAutoConfiguration.class, RateLimitMetricsAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@Conditional(RateLimitReloadAutoConfiguration.Triggered.class)
public final class RateLimitReloadAutoConfiguration {

	private static final String INTERVAL = RateLimitProperties.PREFIX + ".reload-interval";

	private static final Duration SCHEDULE_PRECISION = Duration.ofSeconds(1);

	@Bean
	LastReload rateLimitLastReload() {
		return new LastReload(InstantSource.system());
	}

	@Bean
	ConfigurationReload rateLimitConfigurationReload(ConfigurableEnvironment environment, PropertiesInEffect started,
			ConfiguredPolicies policies, ObjectProvider<Reloadable> parts, LastReload last) {
		ConfigurationFiles files = new ConfigurationFiles(environment);
		Supplier<Environment> source = (started.properties().reloadInterval() != null) ? files::read
				: () -> environment;
		return new ConfigurationReload(() -> read(source.get(), Instant.now()), started, policies,
				parts.stream().toList(), last);
	}

	@Bean
	PropertiesInEffect rateLimitPropertiesInEffect(RateLimitProperties properties, ApplicationContext application) {
		return new PropertiesInEffect(properties, PropertyGroups.read(application.getEnvironment()),
				SchedulesInEffect.atStart(properties, application));
	}

	@Bean
	@Conditional(OnSchedules.class)
	BackgroundTask rateLimitScheduleTask(ConfigurationReload reload) {
		return new BackgroundTask("ratelimit-schedules", () -> reload.follow(Instant.now()), SCHEDULE_PRECISION);
	}

	@Bean
	ConfiguredPolicies rateLimitConfiguredPolicies(Policies policies, KeyResolvers keys, RateLimitedMethods methods,
			Controls controls) {
		return new ConfiguredPolicies(policies, keys, methods, controls);
	}

	@Bean
	Reloadable rateLimitMethodReload(RateLimitedMethods methods) {
		return (properties, policies) -> methods.resolveAgain(policies, PolicyReader.standard(properties));
	}

	@Bean
	@ConditionalOnProperty(INTERVAL)
	BackgroundTask rateLimitReloadTask(ConfigurationReload reload, RateLimitProperties properties) {
		return new BackgroundTask("ratelimit-reload", reload::reloadIfStable, interval(properties));
	}

	private static Duration interval(RateLimitProperties properties) {
		Duration interval = properties.reloadInterval();
		if (interval == null || interval.compareTo(Duration.ofMillis(1)) < 0) {
			throw new InvalidRateLimitConfigurationException(
					"The property '" + INTERVAL + "' must be at least 1ms, was '" + interval + "'",
					"Correct the property '" + INTERVAL + "', or remove it.", null);
		}
		return interval;
	}

	private static PropertiesInEffect read(Environment environment, Instant time) {
		new PropertyNames(environment).requireKnown(RateLimitReloadAutoConfiguration.class.getClassLoader());
		RateLimitProperties read = Binder.get(environment)
			.bindOrCreate(RateLimitProperties.PREFIX, RateLimitProperties.class);
		return new PropertiesInEffect(read, PropertyGroups.read(environment), SchedulesInEffect.of(read, time));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(RateLimitRules.class)
	static class Rules {

		@Bean
		Reloadable rateLimitRuleReload(RateLimitRules rules, RuleReader reader) {
			return (properties, policies) -> {
				List<RateLimitRule> read = reader.read(properties.rules(), policies);
				return () -> rules.replaceAll(read);
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(RateLimitMetrics.class)
	static class Meters {

		@Bean
		Reloadable rateLimitMeterReload(RateLimitMetrics metrics) {
			return (properties, policies) -> () -> metrics.register(policies.names());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(EnvironmentChangeEvent.class)
	static class SpringCloud {

		@Bean
		ApplicationListener<EnvironmentChangeEvent> rateLimitEnvironmentListener(
				ObjectProvider<ConfigurationReload> reload) {
			return new EnvironmentListener(reload);
		}

	}

	/** A condition that matches if anything can change the configuration. */
	static final class Triggered extends AnyNestedCondition {

		Triggered() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnClass(name = "org.springframework.cloud.context.environment.EnvironmentChangeEvent")
		static class BySpringCloud {

		}

		@ConditionalOnProperty(INTERVAL)
		static class ByInterval {

		}

		@Conditional(OnSchedules.class)
		static class BySchedules {

		}

	}

}
