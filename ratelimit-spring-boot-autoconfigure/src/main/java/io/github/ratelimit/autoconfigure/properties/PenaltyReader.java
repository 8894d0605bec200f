package io.github.ratelimit.autoconfigure.properties;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.autoconfigure.properties.PolicyProperties.PenaltyProperties;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.control.Penalty;
import io.github.ratelimit.spring.key.KeyResolvers;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * A reader of the penalties of policies.
 */
public final class PenaltyReader {

	private static final Log logger = LogFactory.getLog(PenaltyReader.class);

	/**
	 * The words of keys that a client cannot choose, not even as a part of others, or
	 * that are never banned.
	 */
	private static final List<String> SAFE = List.of("client-ip", "principal", Policy.EVERYONE);

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
	 * Logs which penalties ban by keys that a client may be able to choose.
	 * @param properties the properties of the policies
	 */
	public static void warnOfForeignKeys(RateLimitProperties properties) {
		properties.policies().forEach((name, policy) -> {
			if (policy.penalty() != null) {
				warnOfForeignKeys(RateLimitProperties.PREFIX + ".policies." + name + ".penalty", policy);
			}
		});
	}

	private static void warnOfForeignKeys(String property, PolicyProperties policy) {
		List<String> foreign = policy.key()
			.stream()
			.filter((word) -> KeyResolvers.parts(word).stream().noneMatch(SAFE::contains))
			.toList();
		if (!foreign.isEmpty()) {
			logger.warn("The property '" + property + "' bans keys by " + foreign
					+ ". If a client can choose such a key, it can have another caller banned");
		}
	}

	/**
	 * Returns the policies that have a penalty and no key but that of everyone.
	 * @param properties the properties of the policies
	 * @return the names of the policies
	 */
	public static List<String> withoutCaller(RateLimitProperties properties) {
		return properties.policies()
			.entrySet()
			.stream()
			.filter((policy) -> policy.getValue().penalty() != null
					&& policy.getValue().key().stream().allMatch(Policy.EVERYONE::equals))
			.map(Map.Entry::getKey)
			.toList();
	}

	/** A condition that matches if a policy has a penalty. */
	public static final class Configured implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return Binder.get(context.getEnvironment())
				.bind(RateLimitProperties.PREFIX + ".policies", Bindable.mapOf(String.class, Object.class))
				.orElse(Map.of())
				.values()
				.stream()
				.anyMatch((policy) -> policy instanceof Map<?, ?> properties && properties.containsKey("penalty"));
		}

	}

}
