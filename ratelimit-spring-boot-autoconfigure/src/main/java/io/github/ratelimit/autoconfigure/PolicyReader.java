package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.ratelimit.InvalidRateLimitException;
import io.github.ratelimit.Policy;
import io.github.ratelimit.Terms;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Alignment;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.autoconfigure.RateLimitProperties.PolicyProperties;
import io.github.ratelimit.spring.key.KeyResolvers;
import org.jspecify.annotations.Nullable;

/**
 * Reads policies from their properties, or names the property that is wrong.
 */
final class PolicyReader {

	private final KeyResolvers keys;

	private final Terms standard;

	/**
	 * A reader.
	 * @param standard the terms of policies that do not say otherwise
	 */
	PolicyReader(KeyResolvers keys, Terms standard) {
		this.keys = keys;
		this.standard = standard;
	}

	/** The terms of policies that do not say otherwise. */
	static Terms standard(RateLimitProperties properties) {
		int share = properties.localShare();
		return checked(RateLimitProperties.PREFIX + ".local-share", share,
				() -> Terms.STANDARD.withStoreFailure(properties.onStoreFailure(), share));
	}

	/** Policies that share the counts of others are read after those. */
	List<Policy> read(Map<String, PolicyProperties> policies) {
		Map<String, Policy> read = new LinkedHashMap<>();
		policies.forEach((name, properties) -> {
			if (properties.shares() == null) {
				read.put(name, policy(name, properties, limits(property(name), properties)));
			}
		});
		Map<String, Policy> shared = Map.copyOf(read);
		policies.forEach((name, properties) -> {
			if (properties.shares() != null) {
				read.put(name, policy(name, properties, sharedLimits(property(name), properties, shared)));
			}
		});
		return List.copyOf(read.values());
	}

	private static String property(String policy) {
		return RateLimitProperties.PREFIX + ".policies." + policy;
	}

	private Policy policy(String name, PolicyProperties properties, List<Limit> limits) {
		String property = property(name);
		checked(property + ".key", properties.key(), () -> {
			this.keys.check(properties.key());
			return properties.key();
		});
		Policy policy = checked(property, properties.limits(), () -> new Policy(name, limits, properties.key()));
		return new PlanReader(property, properties, this.keys)
			.complete(new TermsReader(property, properties, this.standard).applyTo(policy));
	}

	private static List<Limit> sharedLimits(String property, PolicyProperties properties, Map<String, Policy> shared) {
		String name = Objects.requireNonNull(properties.shares());
		if (!properties.limits().isEmpty()) {
			throw new InvalidRateLimitException(
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

	private static List<Limit> limits(String property, PolicyProperties properties) {
		if (properties.limits().isEmpty()) {
			throw new InvalidRateLimitException("The property '" + property + ".limits' is missing",
					"Set it to permits per period, such as 100/1m.", null);
		}
		List<Limit> limits = limits(property + ".limits", properties.limits(), properties.algorithm());
		Long burst = properties.burst();
		if (burst != null) {
			limits = checked(property + ".burst", burst, onlyOneOf(limits, (limit) -> limit.withBurst(burst)));
		}
		String unit = properties.align();
		if (unit != null) {
			limits = checked(property + ".align", unit,
					onlyOneOf(limits, (limit) -> limit.withAlignment(Alignment.of(unit, properties.zone()))));
		}
		return limits;
	}

	static List<Limit> limits(String property, List<String> texts, Algorithm algorithm) {
		List<Limit> limits = new ArrayList<>();
		for (String text : texts) {
			String limit = property + "[" + limits.size() + "]";
			limits.add(checked(limit, text, () -> Limit.parse(text, algorithm)));
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

	/** What is read, or a message that names the property it was read of. */
	static <T> T checked(String property, @Nullable Object value, Supplier<T> read) {
		try {
			return read.get();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRateLimitException(
					"The property '" + property + "' has the value '" + value + "', but " + ex.getMessage(),
					"Correct the property '" + property + "'.", ex);
		}
	}

}
