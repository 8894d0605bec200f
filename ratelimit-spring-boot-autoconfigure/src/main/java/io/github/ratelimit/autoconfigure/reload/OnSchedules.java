package io.github.ratelimit.autoconfigure.reload;

import java.util.Map;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * A condition that matches if a policy or one of its plans has schedules.
 */
class OnSchedules extends SpringBootCondition {

	private static final String SCHEDULES = "schedules";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return new ConditionOutcome(areIn(context.getEnvironment()), ConditionMessage.of("schedules of policies"));
	}

	/** Returns whether an environment has schedules. */
	static boolean areIn(Environment environment) {
		return Binder.get(environment)
			.bind(RateLimitProperties.PREFIX + ".policies", Bindable.mapOf(String.class, Object.class))
			.map((policies) -> policies.values().stream().anyMatch(OnSchedules::hasSchedules))
			.orElse(false);
	}

	private static boolean hasSchedules(Object policy) {
		return policy instanceof Map<?, ?> properties && (properties.containsKey(SCHEDULES)
				|| (properties.get("plans") instanceof Map<?, ?> plans && plans.values()
					.stream()
					.anyMatch((plan) -> plan instanceof Map<?, ?> group && group.containsKey(SCHEDULES))));
	}

}
