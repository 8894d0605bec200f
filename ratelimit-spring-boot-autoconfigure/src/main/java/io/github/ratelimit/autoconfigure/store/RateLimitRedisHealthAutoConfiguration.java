package io.github.ratelimit.autoconfigure.store;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.health.DataRedisHealthContributorAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.health.DataRedisReactiveHealthContributorAutoConfiguration;
import org.springframework.boot.data.redis.health.DataRedisHealthIndicator;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * {@link AutoConfiguration Auto-configuration} for the health of a Redis that is not
 * configured. Without it, Spring Boot reports an application as down whose only use of
 * Redis is that the starter put the client on its class path.
 */
@AutoConfiguration(after = DataRedisAutoConfiguration.class,
		before = { DataRedisHealthContributorAutoConfiguration.class,
				DataRedisReactiveHealthContributorAutoConfiguration.class })
@ConditionalOnClass({ DataRedisHealthIndicator.class, RedisConnectionFactory.class, HealthIndicator.class,
		ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(RedisConnectionFactory.class)
@ConditionalOnEnabledHealthIndicator("redis")
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@Conditional(RateLimitRedisHealthAutoConfiguration.OnNoSign.class)
public final class RateLimitRedisHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = { "redisHealthIndicator", "redisHealthContributor" })
	HealthIndicator redisHealthContributor(RedisConnectionFactory connections, Environment environment,
			ConfigurableListableBeanFactory beans) {
		// What is configured at build time decides in the condition; ahead of time, only
		// here.
		return new RedisEvidence(environment, beans).first().isPresent() ? new DataRedisHealthIndicator(connections)
				: () -> Health.unknown().withDetail("reason", "No Redis is configured").build();
	}

	/** The condition that nothing shows that the application uses Redis. */
	static final class OnNoSign extends SpringBootCondition implements ConfigurationCondition {

		@Override
		public ConfigurationPhase getConfigurationPhase() {
			return ConfigurationPhase.REGISTER_BEAN;
		}

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			ConfigurableListableBeanFactory beans = context.getBeanFactory();
			ConditionMessage.Builder message = ConditionMessage.forCondition("No sign of Redis");
			if (beans == null) {
				return ConditionOutcome.noMatch(message.because("there is no bean factory"));
			}
			return new RedisEvidence(context.getEnvironment(), beans).first()
				.map((sign) -> ConditionOutcome.noMatch(message.because(sign)))
				.orElseGet(() -> ConditionOutcome.match(message.because("no Redis is configured")));
		}

	}

}
