package io.github.ratelimit.autoconfigure.reload;

import io.github.ratelimit.autoconfigure.properties.SourcedProperties;

import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/**
 * A condition that matches if anything can change the configuration: Spring Cloud, the
 * reload interval, a schedule or a policy source.
 */
class OnReload implements ConfigurationCondition {

	private static final String SPRING_CLOUD = "org.springframework.cloud.context.environment.EnvironmentChangeEvent";

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return ClassUtils.isPresent(SPRING_CLOUD, context.getClassLoader())
				|| OnSchedules.areIn(context.getEnvironment()) || SourcedProperties.mayChange(context);
	}

}
