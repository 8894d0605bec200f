package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.Policies;
import io.github.ratelimit.Policy;
import io.github.ratelimit.Terms;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.spring.method.RateLimitedText.Origin;

/**
 * The policies that annotations state on the spot. Each has a name that is the same in
 * every instance of the application, as instances share counts by it: the class, or the
 * class and the method, and from the second annotation on a number.
 */
final class InlinePolicies {

	private final Policies policies;

	private final Terms terms;

	private final Map<String, Origin> origins = new ConcurrentHashMap<>();

	/**
	 * No policies yet.
	 * @param policies where to add them
	 * @param terms theirs
	 */
	InlinePolicies(Policies policies, Terms terms) {
		this.policies = policies;
		this.terms = terms;
	}

	Policy add(RateLimitedText text) {
		String name = text.policy().isEmpty() ? name(text.origin()) : text.policy();
		Origin other = this.origins.putIfAbsent(name, text.origin());
		if (other == null) {
			this.policies.add(new Policy(name, List.of(Limit.parse(text.limit(), Algorithm.TOKEN_BUCKET)),
					List.of(text.key().isEmpty() ? Policy.EVERYONE : text.key()))
				.withTerms(this.terms));
		}
		else if (!other.equals(text.origin())) {
			throw new IllegalArgumentException("another limit is named '" + name
					+ "' already; give this one a name of its own: @RateLimited(policy = \"...\", limit = \"...\")");
		}
		return this.policies.get(name);
	}

	private static String name(Origin origin) {
		String name = (origin.element() instanceof Method method)
				? method.getDeclaringClass().getSimpleName() + '.' + method.getName()
				: ((Class<?>) Objects.requireNonNull(origin.element())).getSimpleName();
		return (origin.position() == 0) ? name : name + '-' + (origin.position() + 1);
	}

}
