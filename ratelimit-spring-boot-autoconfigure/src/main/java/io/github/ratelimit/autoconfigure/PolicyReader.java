package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.ratelimit.InvalidRateLimitException;
import io.github.ratelimit.Policy;
import io.github.ratelimit.Terms;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.autoconfigure.RateLimitProperties.PolicyProperties;
import io.github.ratelimit.spring.key.KeyResolvers;

/**
 * Reads policies from their properties, or names the property that is wrong.
 */
final class PolicyReader {

	private final KeyResolvers keys;

	PolicyReader(KeyResolvers keys) {
		this.keys = keys;
	}

	List<Policy> read(Map<String, PolicyProperties> policies) {
		return policies.entrySet().stream().map((entry) -> policy(entry.getKey(), entry.getValue())).toList();
	}

	private Policy policy(String name, PolicyProperties properties) {
		String property = RateLimitProperties.PREFIX + ".policies." + name;
		if (properties.limits().isEmpty()) {
			throw new InvalidRateLimitException("The property '" + property + ".limits' is missing",
					"Set it to permits per period, such as 100/1m.", null);
		}
		checked(property + ".key", properties.key(), () -> {
			this.keys.check(properties.key());
			return properties.key();
		});
		List<Limit> limits = limits(property, properties);
		Policy policy = checked(property, properties.limits(), () -> new Policy(name, limits, properties.key())
			.withTerms(Terms.STANDARD.withMissingKey(properties.onMissingKey())));
		return new PlanReader(property, properties, this.keys).complete(policy);
	}

	private static List<Limit> limits(String property, PolicyProperties properties) {
		List<Limit> limits = limits(property + ".limits", properties.limits(), properties.algorithm());
		Long burst = properties.burst();
		if (burst == null) {
			return limits;
		}
		return checked(property + ".burst", burst, () -> List.of(only(limits).withBurst(burst)));
	}

	static List<Limit> limits(String property, List<String> texts, Algorithm algorithm) {
		List<Limit> limits = new ArrayList<>();
		for (String text : texts) {
			String limit = property + "[" + limits.size() + "]";
			limits.add(checked(limit, text, () -> Limit.parse(text, algorithm)));
		}
		return limits;
	}

	private static Limit only(List<Limit> limits) {
		if (limits.size() > 1) {
			throw new IllegalArgumentException("a burst needs a policy with one limit, and this one has " + limits);
		}
		return limits.get(0);
	}

	/** What is read, or a message that names the property it was read of. */
	static <T> T checked(String property, Object value, Supplier<T> read) {
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
