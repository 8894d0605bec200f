package io.github.ratelimit.autoconfigure.properties;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.autoconfigure.properties.PolicyProperties.PenaltyProperties;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.control.Penalty;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * A reader of the penalties of policies.
 */
public final class PenaltyReader {

	private PenaltyReader() {
	}

	/**
	 * Reads the penalties of policies that have one, by the policies' names.
	 * @param properties the properties
	 * @return the penalties
	 */
	public static Map<String, Penalty> read(RateLimitProperties properties) {
		Map<String, Penalty> penalties = new LinkedHashMap<>();
		properties.policies().forEach((name, policy) -> {
			PenaltyProperties penalty = policy.penalty();
			if (penalty != null) {
				String property = RateLimitProperties.PREFIX + ".policies." + name + ".penalty";
				penalties.put(name, penalty(property, penalty));
			}
		});
		return penalties;
	}

	private static Penalty penalty(String property, PenaltyProperties penalty) {
		String after = penalty.after();
		if (after == null) {
			throw new InvalidRateLimitConfigurationException("The property '" + property + ".after' is missing",
					"Set it to denials per period, such as 20/1m.", null);
		}
		Rate rate = PropertyCheck.checked(property + ".after", after, () -> Rate.parse(after));
		return PropertyCheck.checked(property, penalty,
				() -> new Penalty(rate, penalty.block(), penalty.factor(), penalty.max()));
	}

	/**
	 * Returns the words for the keys of policies that have a penalty.
	 * @param properties the properties of the policies
	 * @return the words by the names of the policies
	 */
	public static Map<String, List<String>> keys(RateLimitProperties properties) {
		Map<String, List<String>> keys = new LinkedHashMap<>();
		properties.policies().forEach((name, policy) -> {
			if (policy.penalty() != null) {
				keys.put(name, policy.key());
			}
		});
		return keys;
	}

	/**
	 * A condition that matches if a policy has a penalty, or may get one by a reload.
	 */
	public static final class Possible implements ConfigurationCondition {

		@Override
		public ConfigurationPhase getConfigurationPhase() {
			return ConfigurationPhase.REGISTER_BEAN;
		}

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return isConfigured(context.getEnvironment()) || SourcedProperties.mayChange(context);
		}

		private static boolean isConfigured(Environment environment) {
			return Binder.get(environment)
				.bind(RateLimitProperties.PREFIX + ".policies", Bindable.mapOf(String.class, Object.class))
				.orElse(Map.of())
				.values()
				.stream()
				.anyMatch((policy) -> policy instanceof Map<?, ?> properties && properties.containsKey("penalty"));
		}

	}

}
