package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodClassKey;
import org.springframework.core.ParameterNameDiscoverer;

/**
 * The limited methods of an application, each resolved once. Thread-safe.
 */
public final class RateLimitedMethods {

	private final ParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();

	private final Map<MethodClassKey, RateLimitedMethod> methods = new ConcurrentHashMap<>();

	private final OperationFactory operations;

	/**
	 * Limited methods.
	 * @param operations makes what annotations ask for
	 */
	public RateLimitedMethods(OperationFactory operations) {
		this.operations = operations;
	}

	/**
	 * What limits a method that serves requests.
	 * @param method a method
	 * @param targetClass the class of the bean it is called on
	 * @return its limits, or {@code null} if it is not limited
	 */
	public @Nullable LimitedHandler handler(Method method, Class<?> targetClass) {
		RateLimitedMethod limited = get(method, targetClass);
		return limited.operations().isEmpty() ? null : new LimitedHandler(limited);
	}

	/** Throws InvalidRateLimitException where an annotation cannot be obeyed. */
	RateLimitedMethod get(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		RateLimitedMethod known = this.methods.get(key);
		return (known != null) ? known : this.methods.computeIfAbsent(key, (unknown) -> resolve(method, targetClass));
	}

	private RateLimitedMethod resolve(Method method, Class<?> targetClass) {
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		List<String> argumentNames = argumentNames(specific);
		return RateLimitedMethod.of(specific, this.operations.operations(specific, targetClass, argumentNames),
				argumentNames, AnswerKind.of(method.getReturnType()));
	}

	private List<String> argumentNames(Method method) {
		@Nullable String @Nullable [] known = this.names.getParameterNames(method);
		return IntStream.range(0, method.getParameterCount())
			.mapToObj((index) -> (known != null && known[index] != null) ? known[index] : "p" + index)
			.toList();
	}

}
