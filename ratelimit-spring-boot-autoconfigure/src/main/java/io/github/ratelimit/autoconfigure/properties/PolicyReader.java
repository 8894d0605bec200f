package io.github.ratelimit.autoconfigure.properties;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Alignment;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.Mode;
import io.github.ratelimit.policy.EnforcedShare;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.LocalShare;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.spring.key.KeyResolvers;
import org.jspecify.annotations.Nullable;

import static io.github.ratelimit.autoconfigure.properties.PropertyCheck.checked;

/**
 * A reader of policies. An invalid property stops it with an exception that names the
 * property.
 */
public final class PolicyReader {

	private final KeyResolvers keys;

	private final PolicyOptions standard;

	/**
	 * Creates a reader.
	 * @param keys checks the words for keys, plans and callers
	 * @param standard the options of policies without options of their own
	 */
	public PolicyReader(KeyResolvers keys, PolicyOptions standard) {
		this.keys = keys;
		this.standard = standard;
	}

	/**
	 * Returns the options of policies without options of their own.
	 * @param properties the properties
	 * @return the options
	 */
	public static PolicyOptions standard(RateLimitProperties properties) {
		String share = properties.localShare();
		EnforcedShare enforced = (properties.mode() == Mode.SHADOW) ? EnforcedShare.NONE : EnforcedShare.ALL;
		return checked(RateLimitProperties.PREFIX + ".local-share", share,
				() -> PolicyOptions.STANDARD.withStoreFailure(properties.onStoreFailure(), LocalShare.of(share)))
			.withEnforced(enforced);
	}

	/**
	 * Returns the names of the policies that rules and other policies use.
	 * @param properties the properties of rules and policies
	 * @return the names
	 */
	public static Set<String> namesInUse(RateLimitProperties properties) {
		return Stream
			.concat(properties.rules().stream().flatMap((rule) -> rule.policies().stream()),
					properties.policies().values().stream().flatMap((policy) -> Stream.ofNullable(policy.shares())))
			.collect(Collectors.toSet());
	}

	/**
	 * Reads policies. Those that share the counters of others are read last.
	 * @param all the properties
	 * @param schedules the schedules that are in effect; the others are checked too
	 * @return the policies
	 */
	public List<Policy> read(RateLimitProperties all, SchedulesInEffect schedules) {
		Map<String, PolicyProperties> policies = all.policies();
		Map<String, Policy> read = new LinkedHashMap<>();
		policies.forEach((name, properties) -> {
			checkSchedules(name, properties, schedules);
			if (properties.shares() == null) {
				read.put(name, policy(name, properties,
						limits(name, properties, schedules.of(ScheduleReader.ofPolicy(name, properties))), schedules));
			}
		});
		Map<String, Policy> shared = Map.copyOf(read);
		policies.forEach((name, properties) -> {
			if (properties.shares() != null) {
				read.put(name, policy(name, properties, sharedLimits(property(name), properties, shared), schedules));
			}
		});
		return List.copyOf(read.values());
	}

	/** Returns the property of a policy. */
	static String property(String policy) {
		return RateLimitProperties.PREFIX + ".policies." + policy;
	}

	private Policy policy(String name, PolicyProperties properties, List<Limit> limits, SchedulesInEffect schedules) {
		String property = property(name);
		PropertyCheck.requireTexts(property + ".key", properties.key());
		checked(property + ".key", properties.key(), () -> {
			this.keys.check(properties.key());
			return properties.key();
		});
		Policy policy = checked(property, properties.limits(), () -> new Policy(name, limits, properties.key()));
		return new PlanReader(property, properties, this.keys, schedules)
			.complete(new PolicyOptionsReader(property, properties, this.standard).applyTo(policy));
	}

	private static List<Limit> sharedLimits(String property, PolicyProperties properties, Map<String, Policy> shared) {
		String name = Objects.requireNonNull(properties.shares());
		if (!properties.limits().isEmpty()) {
			throw new InvalidRateLimitConfigurationException(
					"The property '" + property + ".limits' is set, but the policy shares those of '" + name + "'",
					"Remove '" + property + ".limits' or '" + property + ".shares'.", null);
		}
		return checked(property + ".shares", name, () -> {
			Policy policy = shared.get(name);
			if (policy == null) {
				throw new IllegalArgumentException("there is no policy of that name with limits of its own");
			}
			return policy.limits();
		});
	}

	private void checkSchedules(String name, PolicyProperties properties, SchedulesInEffect inEffect) {
		ScheduleReader schedules = ScheduleReader.ofPolicy(name, properties);
		for (int i = 0; i < schedules.size(); i++) {
			schedules.check(i);
			if (properties.shares() != null) {
				throw new InvalidRateLimitConfigurationException(
						"The property '" + schedules.property(i) + "' is set, but the policy shares the limits of '"
								+ properties.shares() + "'",
						"Move it to the policy '" + properties.shares() + "'.", null);
			}
			policy(name, properties, limits(property(name), properties, properties.limits()), inEffect);
			List<Limit> limits = limits(name, properties, i);
			checked(schedules.property(i) + ".limits", limits, () -> fitting(name, properties, limits, inEffect));
		}
	}

	/** Returns a policy that can have its own limits with those of a schedule. */
	private Policy fitting(String name, PolicyProperties properties, List<Limit> limits, SchedulesInEffect inEffect) {
		try {
			return policy(name, properties, limits, inEffect);
		}
		catch (InvalidRateLimitConfigurationException ex) {
			throw new IllegalArgumentException(((ex.getCause() != null) ? ex.getCause() : ex).getMessage(), ex);
		}
	}

	private static List<Limit> limits(String name, PolicyProperties properties, @Nullable Integer schedule) {
		ScheduleReader schedules = ScheduleReader.ofPolicy(name, properties);
		return (schedule == null) ? limits(property(name), properties, properties.limits())
				: limits(schedules.property(schedule), properties, schedules.limits(schedule));
	}

	private static List<Limit> limits(String property, PolicyProperties properties, List<String> texts) {
		PropertyCheck.requireLimits(property + ".limits", texts);
		List<Limit> limits = PropertyCheck.limits(property + ".limits", texts, properties.algorithm());
		Long burst = properties.burst();
		if (burst != null) {
			limits = checked(property + ".burst", burst, onlyOneOf(limits, (limit) -> limit.withBurst(burst)));
		}
		String unit = properties.align();
		if (unit != null) {
			checked(property + ".zone", properties.zone(), () -> Alignment.zone(properties.zone()));
			limits = checked(property + ".align", unit,
					onlyOneOf(limits, (limit) -> limit.withAlignment(Alignment.of(unit, properties.zone()))));
		}
		return limits;
	}

	private static Supplier<List<Limit>> onlyOneOf(List<Limit> limits, UnaryOperator<Limit> change) {
		return () -> {
			if (limits.size() > 1) {
				throw new IllegalArgumentException(
						"it needs a policy with one limit, and this one has " + limits + "; write it behind a limit");
			}
			return List.of(change.apply(limits.get(0)));
		};
	}

}
