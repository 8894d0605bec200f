package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import io.github.ratelimit.InvalidRateLimitException;
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

	/** Spring's proxies see suspend functions as publishers only then. */
	private static final boolean COROUTINES_ARE_REACTIVE = ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt",
			RateLimitedMethods.class.getClassLoader());

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
		List<RateLimitOperation> operations = this.operations.operations(specific, targetClass, argumentNames);
		AnswerKind answers = AnswerKind.of(method);
		if (answers.isSuspended() && !operations.isEmpty() && !COROUTINES_ARE_REACTIVE) {
			throw new InvalidRateLimitException(
					"@RateLimited on suspend function " + specific + " cannot be decided without blocking, "
							+ "because kotlinx-coroutines-reactor is not on the class path",
					"Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor.", null);
		}
		return RateLimitedMethod.of(specific, operations, argumentNames, answers);
	}

	/** The continuation of a function that suspends is no argument. */
	private List<String> argumentNames(Method method) {
		@Nullable String @Nullable [] known = this.names.getParameterNames(method);
		int count = method.getParameterCount() - (KotlinDetector.isSuspendingFunction(method) ? 1 : 0);
		return IntStream.range(0, count)
			.mapToObj((index) -> (known != null && known[index] != null) ? known[index] : "p" + index)
			.toList();
	}

}
