package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.spring.method.RateLimitedAttributes.Origin;

import org.springframework.util.ClassUtils;

/**
 * The policies that annotations define inline. Each has a name that is the same in every
 * instance of the application, as instances share counters by it: the class of the bean,
 * or that class and the method, and a number from the second annotation on.
 */
final class InlinePolicies {

	private final Policies policies;

	private final PolicyOptions options;

	private final Map<String, Definition> definitions;

	/**
	 * Creates an empty set of inline policies.
	 * @param policies the policies to add them to
	 * @param options their options
	 */
	InlinePolicies(Policies policies, PolicyOptions options) {
		this(policies, options, new ConcurrentHashMap<>());
	}

	private InlinePolicies(Policies policies, PolicyOptions options, Map<String, Definition> definitions) {
		this.policies = policies;
		this.options = options;
		this.definitions = definitions;
	}

	/**
	 * Returns the same inline policies among other policies.
	 * @param policies the others, which contain {@link #all(PolicyOptions)}
	 * @param options the options of those to come
	 */
	InlinePolicies in(Policies policies, PolicyOptions options) {
		return new InlinePolicies(policies, options, this.definitions);
	}

	/** Returns all inline policies, with other options. */
	List<Policy> all(PolicyOptions options) {
		return this.definitions.values()
			.stream()
			.map((definition) -> definition.policy().withOptions(options))
			.toList();
	}

	/** Adds the policy of an annotation that limits a class of beans, and returns it. */
	Policy add(RateLimitedAttributes attributes, Class<?> targetClass) {
		Class<?> owner = attributes.policy().isEmpty() ? owner(attributes.origin(), targetClass) : Object.class;
		String name = attributes.policy().isEmpty() ? name(attributes.origin(), owner) : attributes.policy();
		Policy policy = new Policy(name, List.of(Limit.parse(attributes.limit())),
				List.of(attributes.key().isEmpty() ? Policy.EVERYONE : attributes.key()))
			.withOptions(this.options);
		Definition other = this.definitions.putIfAbsent(name, new Definition(attributes.origin(), owner, policy));
		if (other == null) {
			this.policies.add(policy);
		}
		else if (!other.origin().equals(attributes.origin()) || other.owner() != owner) {
			throw new IllegalArgumentException("another limit is named '" + name
					+ "' already; give this one a name of its own: @RateLimited(policy = \"...\", limit = \"...\")");
		}
		return this.policies.get(name);
	}

	/**
	 * Returns the class of the beans, or the one with the annotation if that of the beans
	 * has no name, is made at run time, or is another than their proxies stand for.
	 */
	private static Class<?> owner(Origin origin, Class<?> targetClass) {
		Class<?> annotated = (origin.element() instanceof Method method) ? method.getDeclaringClass()
				: (Class<?>) Objects.requireNonNull(origin.element());
		Class<?> type = ClassUtils.getUserClass(targetClass);
		boolean isNamed = annotated.isAssignableFrom(type) && !type.isInterface() && !type.isAnonymousClass()
				&& !type.isSynthetic() && !Proxy.isProxyClass(type);
		return isNamed ? type : annotated;
	}

	private static String name(Origin origin, Class<?> owner) {
		String name = (origin.element() instanceof Method method) ? owner.getSimpleName() + '.' + method.getName()
				: owner.getSimpleName();
		return (origin.position() == 0) ? name : name + '-' + (origin.position() + 1);
	}

	/** A policy, the annotation that defines it and the class that it is named after. */
	private record Definition(Origin origin, Class<?> owner, Policy policy) {

	}

}
