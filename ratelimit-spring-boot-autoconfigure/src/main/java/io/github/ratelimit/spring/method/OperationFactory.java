package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Callers;
import io.github.ratelimit.InvalidRateLimitException;
import io.github.ratelimit.Policies;
import io.github.ratelimit.Policy;
import io.github.ratelimit.Terms;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKey;
import org.jspecify.annotations.Nullable;

import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/**
 * Makes an operation of an annotation, or says what is wrong with it.
 */
public final class OperationFactory {

	private final Policies policies;

	private final InlinePolicies inlinePolicies;

	private final KeyResolvers keyResolvers;

	private final StringValueResolver placeholders;

	/**
	 * A factory.
	 * @param policies the policies that annotations may name, and to which those that
	 * they state are added
	 * @param terms of the policies that annotations state
	 * @param keyResolvers makes resolvers of keys
	 * @param placeholders replaces <code>${...}</code>
	 */
	public OperationFactory(Policies policies, Terms terms, KeyResolvers keyResolvers,
			StringValueResolver placeholders) {
		this.policies = policies;
		this.inlinePolicies = new InlinePolicies(policies, terms);
		this.keyResolvers = keyResolvers;
		this.placeholders = placeholders;
	}

	/**
	 * What limits calls of a method on a class: the annotations of the class, then its
	 * own.
	 */
	List<RateLimitOperation> operations(Method method, Class<?> targetClass, List<String> arguments) {
		return RateLimitedAnnotations.elements(method, targetClass)
			.flatMap((element) -> RateLimitedAnnotations.on(element, this.placeholders).stream())
			.map((text) -> operation(text, method, arguments))
			.toList();
	}

	private RateLimitOperation operation(RateLimitedText text, Method method, List<String> arguments) {
		try {
			Policy policy = policy(text);
			List<String> keys = keys(text, policy);
			PolicyKey key = this.keyResolvers.of(policy, keys, arguments, name(method));
			Cost cost = Cost.parse(text.cost(), arguments, policy.name(), method);
			Long constant = cost.constant();
			policy.requireSatisfiable((constant != null) ? constant : 0);
			Needs needs = (constant == null) ? Needs.ARGUMENTS : needs(keys, policy.callers(), arguments);
			return new RateLimitOperation(key, cost, needs, maxWait(text, policy), text.refundOn());
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw new InvalidRateLimitException(text + " on " + name(method) + " is wrong: " + ex.getMessage(),
					"Correct the annotation on " + name(method) + ", or the policy it names.", ex);
		}
	}

	private Policy policy(RateLimitedText text) {
		if (text.limit().isEmpty()) {
			if (text.policy().isEmpty()) {
				throw new IllegalArgumentException("it names no policy and states no limit");
			}
			return this.policies.get(text.policy());
		}
		return this.inlinePolicies.add(text);
	}

	private static List<String> keys(RateLimitedText text, Policy policy) {
		return StringUtils.hasText(text.key()) ? List.of(text.key()) : policy.keys();
	}

	private static Needs needs(List<String> keys, Callers callers, List<String> arguments) {
		if (keys.equals(List.of(Policy.EVERYONE)) && callers.equals(new Callers(callers.keys()))) {
			return Needs.NOTHING;
		}
		boolean mayNeedArguments = KeyResolvers.mayNeedArguments(keys) || PolicyKey.mayNeedArguments(callers);
		return (mayNeedArguments && !arguments.isEmpty()) ? Needs.ARGUMENTS : Needs.CALLER;
	}

	private static @Nullable Duration maxWait(RateLimitedText text, Policy policy) {
		if (text.maxWait().isEmpty()) {
			return null;
		}
		Duration maxWait = DurationFormatterUtils.detectAndParse(text.maxWait());
		policy.withTerms(policy.terms().withMaxWait(maxWait));
		return maxWait;
	}

	private static String name(Method method) {
		return method.getDeclaringClass().getName() + "." + method.getName();
	}

}
