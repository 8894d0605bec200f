package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

import io.github.ratelimit.policy.CallerSelectors;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKey;
import org.jspecify.annotations.Nullable;

import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/**
 * A factory that turns annotations into charges and rejects those that are wrong.
 */
public final class LimitedChargeFactory {

	private static final Pattern NUMBER = Pattern.compile("[0-9]*[1-9]");

	private final Policies policies;

	private final InlinePolicies inlinePolicies;

	private final KeyResolvers keyResolvers;

	private final StringValueResolver placeholders;

	/**
	 * Creates a factory.
	 * @param policies the policies that annotations may name; policies that annotations
	 * define are added
	 * @param options the options of policies that annotations define
	 * @param keyResolvers creates key resolvers
	 * @param placeholders replaces <code>${...}</code>
	 */
	public LimitedChargeFactory(Policies policies, PolicyOptions options, KeyResolvers keyResolvers,
			StringValueResolver placeholders) {
		this(policies, new InlinePolicies(policies, options), keyResolvers, placeholders);
	}

	private LimitedChargeFactory(Policies policies, InlinePolicies inlinePolicies, KeyResolvers keyResolvers,
			StringValueResolver placeholders) {
		this.policies = policies;
		this.inlinePolicies = inlinePolicies;
		this.keyResolvers = keyResolvers;
		this.placeholders = placeholders;
	}

	/** Returns a factory of charges by other policies, which contain the inline ones. */
	LimitedChargeFactory by(Policies policies, PolicyOptions options) {
		return new LimitedChargeFactory(policies, this.inlinePolicies.in(policies, options), this.keyResolvers,
				this.placeholders);
	}

	/** Returns a factory of charges by the same policies, with other options. */
	LimitedChargeFactory with(PolicyOptions options) {
		return by(this.policies, options);
	}

	/** Returns the inline policies, with other options. */
	List<Policy> inlinePolicies(PolicyOptions options) {
		return this.inlinePolicies.all(options);
	}

	/**
	 * Creates the charges of a method on a class, from the annotations of the class and
	 * then from its own.
	 */
	List<LimitedCharge> create(Method method, Class<?> targetClass, List<String> arguments) {
		return RateLimitedAnnotations.elements(method, targetClass)
			.flatMap((element) -> RateLimitedAnnotations.on(element, this.placeholders).stream())
			.map((attributes) -> charge(attributes, method, arguments))
			.toList();
	}

	private LimitedCharge charge(RateLimitedAttributes attributes, Method method, List<String> arguments) {
		try {
			Policy policy = policy(attributes);
			List<String> keys = keys(attributes, policy);
			PolicyKey key = this.keyResolvers.of(policy, keys, arguments, name(method));
			CostExpression cost = CostExpression.parse(attributes.cost(), arguments, policy.name(),
					RateLimitedMethod.name(method));
			Long constant = cost.constant();
			policy.requireSatisfiable((constant != null) ? constant : 0);
			ChargeInputs inputs = (constant == null) ? ChargeInputs.ARGUMENTS
					: inputs(keys, policy.callers(), arguments);
			return new LimitedCharge(key, keys, cost, inputs, maxWait(attributes, policy), attributes.refundOn());
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw new InvalidRateLimitConfigurationException(
					attributes + " on " + name(method) + " is wrong: " + ex.getMessage(),
					"Correct the annotation on " + name(method) + ", or the policy it names.", ex);
		}
	}

	private Policy policy(RateLimitedAttributes attributes) {
		if (attributes.limit().isEmpty()) {
			if (attributes.policy().isEmpty()) {
				throw new IllegalArgumentException("it names no policy and states no limit");
			}
			return this.policies.get(attributes.policy());
		}
		return this.inlinePolicies.add(attributes);
	}

	private static List<String> keys(RateLimitedAttributes attributes, Policy policy) {
		return StringUtils.hasText(attributes.key()) ? List.of(attributes.key()) : policy.keys();
	}

	private static ChargeInputs inputs(List<String> keys, CallerSelectors callers, List<String> arguments) {
		if (keys.equals(List.of(Policy.EVERYONE)) && callers.equals(new CallerSelectors(callers.keys()))) {
			return ChargeInputs.NOTHING;
		}
		boolean mayNeedArguments = KeyResolvers.mayNeedArguments(keys) || PolicyKey.mayNeedArguments(callers);
		return (mayNeedArguments && !arguments.isEmpty()) ? ChargeInputs.ARGUMENTS : ChargeInputs.CALLER;
	}

	private static @Nullable Duration maxWait(RateLimitedAttributes attributes, Policy policy) {
		if (attributes.maxWait().isEmpty()) {
			return null;
		}
		if (NUMBER.matcher(attributes.maxWait()).matches()) {
			throw new IllegalArgumentException("the maximum wait '" + attributes.maxWait() + "' has no unit; write "
					+ attributes.maxWait() + "s or " + attributes.maxWait() + "ms");
		}
		Duration maxWait = DurationFormatterUtils.detectAndParse(attributes.maxWait());
		policy.withOptions(policy.options().withMaxWait(maxWait));
		return maxWait;
	}

	private static String name(Method method) {
		return method.getDeclaringClass().getName() + "." + method.getName();
	}

}
