package io.github.ratelimit.autoconfigure.reload;

import io.github.ratelimit.policy.PolicySource;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Conditional;

/**
 * A condition that matches if anything can change the configuration.
 */
class OnReload extends AnyNestedCondition {

	OnReload() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@ConditionalOnClass(name = "org.springframework.cloud.context.environment.EnvironmentChangeEvent")
	static class BySpringCloud {

	}

	@ConditionalOnProperty("ratelimit.reload-interval")
	static class ByInterval {

	}

	@Conditional(OnSchedules.class)
	static class BySchedules {

	}

	@ConditionalOnBean(PolicySource.class)
	static class BySource {

	}

}
