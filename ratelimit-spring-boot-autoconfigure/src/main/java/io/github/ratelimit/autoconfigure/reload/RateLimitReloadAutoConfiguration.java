package io.github.ratelimit.autoconfigure.reload;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.autoconfigure.BackgroundTask;
import io.github.ratelimit.autoconfigure.OperatorMeters;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMetricsAutoConfiguration;
import io.github.ratelimit.autoconfigure.check.CheckedProperties;
import io.github.ratelimit.autoconfigure.check.RateLimitCheckAutoConfiguration;
import io.github.ratelimit.autoconfigure.properties.PenaltyReader;
import io.github.ratelimit.autoconfigure.properties.PolicyReader;
import io.github.ratelimit.autoconfigure.properties.PropertyGroups;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.RuleReader;
import io.github.ratelimit.autoconfigure.properties.SchedulesInEffect;
import io.github.ratelimit.autoconfigure.properties.SourcedProperties;
import io.github.ratelimit.autoconfigure.web.RateLimitReactiveAutoConfiguration;
import io.github.ratelimit.autoconfigure.web.RateLimitServletAutoConfiguration;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.PolicySource;
import io.github.ratelimit.spring.check.StartChecks;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.control.Penalties;
import io.github.ratelimit.spring.control.Penalty;
import io.github.ratelimit.spring.finding.LastReload;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.metrics.RateLimitMetrics;
import io.github.ratelimit.spring.web.RateLimitRule;
import io.github.ratelimit.spring.web.RateLimitRules;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * {@link AutoConfiguration Auto-configuration} for configuration that changes while the
 * application runs.
 */
@AutoConfiguration(after = { RateLimitMethodAutoConfiguration.class, RateLimitServletAutoConfiguration.class,
		RateLimitReactiveAutoConfiguration.class, RateLimitMetricsAutoConfiguration.class,
		RateLimitCheckAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnReload
public final class RateLimitReloadAutoConfiguration {

	private static final String INTERVAL = RateLimitProperties.PREFIX + ".reload-interval";

	private static final Duration SCHEDULE_PRECISION = Duration.ofSeconds(1);

	@Bean("io.github.ratelimit.configurationReload")
	ConfigurationReload rateLimitConfigurationReload(CurrentProperties properties, PropertiesInEffect started,
			ConfiguredPolicies policies, ObjectProvider<Reloadable> parts, ReloadReport report) {
		return new ConfigurationReload(properties, started, policies, parts.stream().toList(), report);
	}

	@Bean("io.github.ratelimit.reloadReport")
	ReloadReport rateLimitReloadReport(LastReload last, CheckedProperties checked, StartChecks checks) {
		return new ReloadReport(last, (properties, environment) -> {
			checked.replace(properties, environment);
			checks.run();
		});
	}

	@Bean("io.github.ratelimit.currentProperties")
	CurrentProperties rateLimitCurrentProperties(ConfigurableEnvironment environment, RateLimitProperties started,
			SourcedProperties sourced) {
		return (started.reloadInterval() != null) ? CurrentProperties.of(new ConfigurationFiles(environment), sourced)
				: CurrentProperties.of(environment, sourced);
	}

	@Bean("io.github.ratelimit.propertiesInEffect")
	PropertiesInEffect rateLimitPropertiesInEffect(RateLimitProperties properties, SourcedProperties sourced,
			ApplicationContext application, LastReload started) {
		RateLimitProperties all = sourced.addTo(properties);
		return new PropertiesInEffect(all, PropertyGroups.read(application.getEnvironment()),
				SchedulesInEffect.atStart(all, application), started.inEffect().digest());
	}

	@Bean("io.github.ratelimit.scheduleTask")
	@Conditional(MayHaveSchedules.class)
	BackgroundTask rateLimitScheduleTask(ConfigurationReload reload) {
		return new BackgroundTask("ratelimit-schedules", () -> reload.follow(Instant.now()), SCHEDULE_PRECISION);
	}

	@Bean("io.github.ratelimit.configuredPolicies")
	ConfiguredPolicies rateLimitConfiguredPolicies(Policies policies, KeyResolvers keys, RateLimitedMethods methods,
			Controls controls) {
		return new ConfiguredPolicies(policies, keys, methods, controls);
	}

	@Bean("io.github.ratelimit.methodReload")
	Reloadable rateLimitMethodReload(RateLimitedMethods methods) {
		return (properties, policies) -> methods.resolveAgain(policies, PolicyReader.standard(properties.properties()));
	}

	@Bean("io.github.ratelimit.penaltyReload")
	@ConditionalOnBean(Penalties.class)
	Reloadable rateLimitPenaltyReload(Penalties penalties) {
		return new ReloadableSection(FixedProperties.PENALTIES, (properties, policies) -> {
			Map<String, Penalty> read = PenaltyReader.read(properties.properties());
			return () -> {
				if (!read.equals(penalties.byPolicy())) {
					penalties.replaceAll(read);
				}
			};
		});
	}

	@Bean("io.github.ratelimit.reloadTask")
	@ConditionalOnProperty(INTERVAL)
	BackgroundTask rateLimitReloadTask(ConfigurationReload reload, RateLimitProperties properties) {
		return new BackgroundTask("ratelimit-reload", reload::reloadIfStable,
				interval(INTERVAL, properties.reloadInterval()));
	}

	@Bean("io.github.ratelimit.policySourceTask")
	@ConditionalOnBean(PolicySource.class)
	BackgroundTask rateLimitPolicySourceTask(ConfigurationReload reload, RateLimitProperties properties) {
		return new BackgroundTask("ratelimit-policy-source", reload::poll,
				interval(RateLimitProperties.PREFIX + ".policy-source.interval", properties.policySource().interval()));
	}

	private static Duration interval(String property, @Nullable Duration interval) {
		if (interval == null || interval.compareTo(Duration.ofMillis(1)) < 0) {
			throw new InvalidRateLimitConfigurationException(
					"The property '" + property + "' must be at least 1ms, was '" + interval + "'",
					"Correct the property '" + property + "', or remove it.", null);
		}
		return interval;
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(RateLimitRules.class)
	static class Rules {

		@Bean("io.github.ratelimit.ruleReload")
		Reloadable rateLimitRuleReload(RateLimitRules rules, RuleReader reader) {
			return (properties, policies) -> {
				List<RateLimitRule> read = reader.read(properties.properties().rules(), policies);
				return () -> rules.replaceAll(read);
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(RateLimitMetrics.class)
	static class Meters {

		@Bean("io.github.ratelimit.meterReload")
		Reloadable rateLimitMeterReload(RateLimitMetrics metrics, OperatorMeters operators) {
			return (properties, policies) -> () -> {
				metrics.register(policies.names());
				operators.show(properties.digest());
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(EnvironmentChangeEvent.class)
	static class SpringCloud {

		@Bean("io.github.ratelimit.environmentListener")
		GenericApplicationListener rateLimitEnvironmentListener(ObjectProvider<ConfigurationReload> reload) {
			return GenericApplicationListener.forEventType(EnvironmentChangeEvent.class,
					(event) -> reload.getObject().reload());
		}

	}

	/** A condition that matches if there are schedules, or a source may have some. */
	static final class MayHaveSchedules extends AnyNestedCondition {

		MayHaveSchedules() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@Conditional(OnSchedules.class)
		static class Configured {

		}

		@ConditionalOnBean(PolicySource.class)
		static class BySource {

		}

	}

}
