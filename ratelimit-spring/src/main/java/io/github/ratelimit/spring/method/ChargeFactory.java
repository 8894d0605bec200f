package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.lang.reflect.TypeVariable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.github.ratelimit.policy.CallerSelectors;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.spring.charge.OutcomeTerms;
import io.github.ratelimit.spring.charge.OutcomeTerms.Condition;
import io.github.ratelimit.spring.expression.CostExpression;
import io.github.ratelimit.spring.expression.ExpressionScope;
import io.github.ratelimit.spring.expression.ScopedExpression;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKey;
import io.github.ratelimit.spring.method.RateLimitedMethod.LimitedCharge;
import org.jspecify.annotations.Nullable;

import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/**
 * A factory that turns annotations into charges and rejects those that are wrong.
 */
public final class ChargeFactory {

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
	public ChargeFactory(Policies policies, PolicyOptions options, KeyResolvers keyResolvers,
			StringValueResolver placeholders) {
		this(policies, new InlinePolicies(policies, options), keyResolvers, placeholders);
	}

	private ChargeFactory(Policies policies, InlinePolicies inlinePolicies, KeyResolvers keyResolvers,
			StringValueResolver placeholders) {
		this.policies = policies;
		this.inlinePolicies = inlinePolicies;
		this.keyResolvers = keyResolvers;
		this.placeholders = placeholders;
	}

	/** Returns a factory of charges by other policies, which contain the inline ones. */
	ChargeFactory by(Policies policies, PolicyOptions options) {
		return new ChargeFactory(policies, this.inlinePolicies.in(policies, options), this.keyResolvers,
				this.placeholders);
	}

	/** Returns a factory of charges by the same policies, with other options. */
	ChargeFactory with(PolicyOptions options) {
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
			.map((attributes) -> charge(attributes, method, targetClass, arguments))
			.toList();
	}

	/**
	 * Returns the fallback that the annotations of a method name, or null.
	 */
	@Nullable DenialFallback fallback(Method method, Class<?> targetClass) {
		List<String> names = RateLimitedAnnotations.elements(method, targetClass)
			.flatMap((element) -> RateLimitedAnnotations.on(element, this.placeholders).stream())
			.map((attributes) -> attributes.outcome().fallback())
			.filter((name) -> !name.isEmpty())
			.distinct()
			.toList();
		try {
			if (names.size() > 1) {
				throw new IllegalArgumentException("a method has one fallback, but its annotations name " + names);
			}
			return names.isEmpty() ? null : DenialFallback.of(names.get(0), method, targetClass);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRateLimitConfigurationException(
					"@RateLimited on " + name(method) + " is wrong: " + ex.getMessage(),
					"Correct 'fallback' of the annotation on " + name(method) + ".", ex);
		}
	}

	private LimitedCharge charge(RateLimitedAttributes attributes, Method method, Class<?> targetClass,
			List<String> arguments) {
		try {
			Policy policy = policy(attributes, targetClass);
			List<String> keys = keys(attributes, policy);
			ExpressionScope scope = this.keyResolvers.scope().withArguments(types(method, arguments)).at(name(method));
			ExpressionScope ofKeys = StringUtils.hasText(attributes.key()) ? scope : scope.ofPolicy();
			PolicyKey key = this.keyResolvers.of(policy, keys, ofKeys, name(method));
			CostExpression cost = CostExpression.parse(attributes.cost(), scope, policy.name(),
					RateLimitedMethod.name(method));
			policy.requireSatisfiable((cost.constant() != null) ? cost.constant() : 0);
			ScopedExpression when = attributes.when().isEmpty() ? null : scope.parseCondition(attributes.when());
			return new LimitedCharge(key, keys, when, cost, inputs(policy, keys, cost, when, ofKeys),
					maxWait(attributes, policy), outcome(attributes, policy, scope.afterCall(), method));
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw new InvalidRateLimitConfigurationException(
					attributes + " on " + name(method) + " is wrong: " + ex.getMessage(),
					"Correct the annotation on " + name(method) + ", or the policy it names.", ex);
		}
	}

	/** Returns the types of arguments, which are not known if they depend on the use. */
	private static Map<String, Class<?>> types(Method method, List<String> arguments) {
		Map<String, Class<?>> types = new LinkedHashMap<>();
		for (String name : arguments) {
			boolean isOpen = method.getGenericParameterTypes()[types.size()] instanceof TypeVariable;
			types.put(name, isOpen ? Object.class : method.getParameterTypes()[types.size()]);
		}
		return types;
	}

	private Policy policy(RateLimitedAttributes attributes, Class<?> targetClass) {
		if (attributes.limit().isEmpty()) {
			if (attributes.policy().isEmpty()) {
				throw new IllegalArgumentException("it names no policy and states no limit");
			}
			return this.policies.get(attributes.policy());
		}
		return this.inlinePolicies.add(attributes, targetClass);
	}

	private static List<String> keys(RateLimitedAttributes attributes, Policy policy) {
		return StringUtils.hasText(attributes.key()) ? List.of(attributes.key()) : policy.keys();
	}

	private LimitedCharge.Inputs inputs(Policy policy, List<String> keys, CostExpression cost,
			@Nullable ScopedExpression when, ExpressionScope scope) {
		if (cost.usesArguments() || (when != null && when.usesArguments())
				|| this.keyResolvers.mayNeedArguments(policy, keys, scope)) {
			return LimitedCharge.Inputs.ARGUMENTS;
		}
		CallerSelectors callers = policy.callers();
		boolean isSame = keys.equals(List.of(Policy.EVERYONE)) && callers.equals(new CallerSelectors(callers.keys()))
				&& cost.constant() != null && when == null;
		return isSame ? LimitedCharge.Inputs.NOTHING : LimitedCharge.Inputs.CALLER;
	}

	private static OutcomeTerms outcome(RateLimitedAttributes attributes, Policy policy, ExpressionScope ended,
			Method method) {
		RateLimitedAttributes.Consequences outcome = attributes.outcome();
		return new OutcomeTerms(Condition.parse(outcome.chargeWhen(), outcome.chargeOn(), ended),
				Condition.parse(outcome.refundWhen(), outcome.refundOn(), ended), outcome.actual().isEmpty() ? null
						: CostExpression.parse(outcome.actual(), ended, policy.name(), RateLimitedMethod.name(method)));
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
