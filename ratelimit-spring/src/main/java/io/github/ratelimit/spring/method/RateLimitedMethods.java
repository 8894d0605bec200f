package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.spring.key.KnownKeys;
import io.github.ratelimit.spring.method.RateLimitedMethod.LimitedCharge;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodClassKey;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * The limited methods of an application, each resolved once. Thread-safe.
 */
public final class RateLimitedMethods implements KnownKeys {

	/** Without this, Spring's proxies do not turn suspend functions into publishers. */
	private static final boolean COROUTINES_ARE_REACTIVE = ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt",
			RateLimitedMethods.class.getClassLoader());

	private final ParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();

	private final BiPredicate<Method, Class<?>> secured;

	private volatile Resolved resolved;

	private volatile boolean measuresResponses;

	/**
	 * Creates limited methods.
	 * @param charges creates the charges of annotations
	 * @param secured whether Spring Security checks a method of a class before its limit
	 */
	public RateLimitedMethods(ChargeFactory charges, BiPredicate<Method, Class<?>> secured) {
		this.secured = secured;
		this.resolved = new Resolved(charges, new ConcurrentHashMap<>());
	}

	/**
	 * Finds the limits of a method.
	 * @param method a method
	 * @param targetClass the class of the bean that it is called on
	 * @return the method with its limits, or {@code null} if it is not limited
	 * @throws InvalidRateLimitConfigurationException if an annotation cannot take effect
	 */
	public @Nullable RateLimitedMethod find(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		Resolved resolved = this.resolved;
		Target known = resolved.methods().get(key);
		return ((known != null) ? known : resolved.methods()
			.computeIfAbsent(key, (unknown) -> resolve(method, targetClass, resolved.charges()))).limited();
	}

	/**
	 * Finds the limits of a method of a bean, which may be a proxy.
	 * @param method a method, such as one of an interface
	 * @param bean the bean that it is called on
	 * @return the method with its limits, or {@code null} if it is not limited
	 */
	public @Nullable RateLimitedMethod findOn(Method method, Object bean) {
		Class<?> type = AopUtils.getTargetClass(bean);
		return find(AopUtils.getMostSpecificMethod(method, type), type);
	}

	/**
	 * Returns the policies that annotations define.
	 * @param options their options from now on
	 * @return the policies with the options
	 */
	public List<Policy> inlinePolicies(PolicyOptions options) {
		return this.resolved.charges().inlinePolicies(options);
	}

	/**
	 * Returns the limited methods.
	 * @return the methods, in no order
	 */
	public Stream<RateLimitedMethod> all() {
		return this.resolved.methods().values().stream().flatMap((target) -> Stream.ofNullable(target.limited()));
	}

	/**
	 * Returns the limited methods by the class of the beans that have them, also those
	 * that it inherits.
	 * @return the methods, in no order, by the class
	 */
	public Map<Class<?>, List<RateLimitedMethod>> byClass() {
		Map<Class<?>, List<RateLimitedMethod>> byClass = new HashMap<>();
		this.resolved.methods().values().forEach((target) -> {
			if (target.limited() != null) {
				byClass.computeIfAbsent(ClassUtils.getUserClass(target.type()), (type) -> new ArrayList<>())
					.add(target.limited());
			}
		});
		return byClass;
	}

	/**
	 * Returns whether a method is charged by the size of the response.
	 * @return whether responses have to be measured
	 */
	public boolean measuresResponses() {
		return this.measuresResponses;
	}

	/**
	 * Returns the limited methods by the policies that they name.
	 * @return the names of methods, in their order, by the name of the policy
	 */
	public SortedMap<String, SortedSet<String>> byPolicy() {
		SortedMap<String, SortedSet<String>> byPolicy = new TreeMap<>();
		all().forEach((method) -> method.policies()
			.forEach((policy) -> byPolicy.computeIfAbsent(policy, (name) -> new TreeSet<>()).add(method.name())));
		return byPolicy;
	}

	@Override
	public Stream<String> words(String policy) {
		return all().flatMap((method) -> method.keysOf(policy).stream()).flatMap(List::stream);
	}

	/**
	 * Resolves all known methods again, by policies that may replace those in effect.
	 * Nothing changes before the result runs.
	 * @param policies all policies, with {@link #inlinePolicies}
	 * @param options the options of policies that annotations define
	 * @return puts the methods into effect
	 * @throws InvalidRateLimitConfigurationException if an annotation does not fit the
	 * policies
	 */
	public Runnable resolveAgain(Policies policies, PolicyOptions options) {
		Resolved now = this.resolved;
		ChargeFactory charges = now.charges().by(policies, options);
		Map<MethodClassKey, Target> methods = new ConcurrentHashMap<>();
		now.methods()
			.forEach((key, target) -> methods.put(key,
					(target.limited() != null) ? resolve(target.method(), target.type(), charges) : target));
		return () -> this.resolved = new Resolved(now.charges().with(options), methods);
	}

	private Target resolve(Method method, Class<?> targetClass, ChargeFactory charges) {
		Method specific = specific(method, targetClass);
		List<String> argumentNames = argumentNames(specific);
		List<LimitedCharge> limits = charges.create(specific, targetClass, argumentNames);
		if (limits.isEmpty()) {
			return new Target(method, targetClass, null);
		}
		ReturnKind returnKind = ReturnKind.of(method);
		requireKnownEnd(specific, returnKind, limits);
		RateLimitedMethod limited = new RateLimitedMethod(specific, limits, argumentNames, returnKind,
				charges.fallback(specific, targetClass),
				SingletonSupplier.of(() -> this.secured.test(method, targetClass)));
		this.measuresResponses |= limited.measuresResponse();
		return new Target(method, targetClass, limited);
	}

	/** Requires that a call can be decided without blocking, and tells its end. */
	private static void requireKnownEnd(Method specific, ReturnKind returnKind, List<LimitedCharge> limits) {
		if (returnKind == ReturnKind.UNKNOWN && limits.stream().anyMatch(LimitedCharge::needsEnd)) {
			throw new InvalidRateLimitConfigurationException(
					"@RateLimited on " + specific + " has a limit on concurrency or an outcome, but the Future that "
							+ "it returns does not tell when the call ends",
					"Return a CompletableFuture.", null);
		}
		if (returnKind.isSuspended() && !COROUTINES_ARE_REACTIVE) {
			throw new InvalidRateLimitConfigurationException(
					"@RateLimited on suspend function " + specific + " cannot be decided without blocking, "
							+ "because kotlinx-coroutines-reactor is not on the class path",
					"Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor.", null);
		}
	}

	/**
	 * Returns the method of the class, or that of the interface if the class is a proxy
	 * of the JDK, as clients of HTTP interfaces are: it has no names of arguments.
	 */
	private static Method specific(Method method, Class<?> targetClass) {
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		return Proxy.isProxyClass(specific.getDeclaringClass())
				? ClassUtils.getInterfaceMethodIfPossible(specific, null) : specific;
	}

	/**
	 * Returns the names of the arguments, without the continuation of a suspend function.
	 */
	private List<String> argumentNames(Method method) {
		@Nullable String @Nullable [] known = this.names.getParameterNames(method);
		int count = method.getParameterCount() - (KotlinDetector.isSuspendingFunction(method) ? 1 : 0);
		return IntStream.range(0, count)
			.mapToObj((index) -> (known != null && known[index] != null) ? known[index] : "p" + index)
			.toList();
	}

	/** A method of a class of beans, and its limits if it has any. */
	private record Target(Method method, Class<?> type, @Nullable RateLimitedMethod limited) {

	}

	/** The methods that were resolved by the same policies. */
	private record Resolved(ChargeFactory charges, Map<MethodClassKey, Target> methods) {

	}

}
