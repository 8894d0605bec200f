package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import io.github.ratelimit.InvalidRateLimitException;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Policy;
import io.github.ratelimit.Terms;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.autoconfigure.RateLimitProperties.PolicyProperties;
import io.github.ratelimit.spring.key.KeyResolvers;

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
		Terms terms = terms(property, properties).withMissingKey(properties.onMissingKey());
		return checked(property, properties.limits(),
				() -> new Policy(name, limits, properties.key()).withTerms(terms));
	}

	private Terms terms(String property, PolicyProperties properties) {
		OnStoreFailure mode = Objects.requireNonNullElse(properties.onStoreFailure(), this.standard.onStoreFailure());
		int share = Objects.requireNonNullElse(properties.localShare(), this.standard.localShare());
		return checked(property + ".local-share", share, () -> this.standard.withStoreFailure(mode, share));
	}

	private static List<Limit> limits(String property, PolicyProperties properties) {
		List<Limit> limits = new ArrayList<>();
		for (String text : properties.limits()) {
			String limit = property + ".limits[" + limits.size() + "]";
			limits.add(checked(limit, text, () -> Limit.parse(text, properties.algorithm())));
		}
		Long burst = properties.burst();
		if (burst == null) {
			return limits;
		}
		return checked(property + ".burst", burst, () -> List.of(only(limits).withBurst(burst)));
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
