package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodClassKey;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.util.ClassUtils;

/**
 * The limited methods of an application, each resolved once. Thread-safe.
 */
public final class RateLimitedMethods {

	/** Without this, Spring's proxies do not turn suspend functions into publishers. */
	private static final boolean COROUTINES_ARE_REACTIVE = ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt",
			RateLimitedMethods.class.getClassLoader());

	private final ParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();

	private final Map<MethodClassKey, Optional<RateLimitedMethod>> methods = new ConcurrentHashMap<>();

	private final LimitedChargeFactory charges;

	/**
	 * Creates limited methods.
	 * @param charges creates the charges of annotations
	 */
	public RateLimitedMethods(LimitedChargeFactory charges) {
		this.charges = charges;
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
		Optional<RateLimitedMethod> known = this.methods.get(key);
		return ((known != null) ? known
				: this.methods.computeIfAbsent(key, (unknown) -> Optional.ofNullable(resolve(method, targetClass))))
			.orElse(null);
	}

	private @Nullable RateLimitedMethod resolve(Method method, Class<?> targetClass) {
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		List<String> argumentNames = argumentNames(specific);
		List<LimitedCharge> limits = this.charges.create(specific, targetClass, argumentNames);
		if (limits.isEmpty()) {
			return null;
		}
		ReturnKind returnKind = ReturnKind.of(method);
		if (returnKind.isSuspended() && !COROUTINES_ARE_REACTIVE) {
			throw new InvalidRateLimitConfigurationException(
					"@RateLimited on suspend function " + specific + " cannot be decided without blocking, "
							+ "because kotlinx-coroutines-reactor is not on the class path",
					"Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor.", null);
		}
		return new RateLimitedMethod(specific, limits, argumentNames, returnKind);
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

}
