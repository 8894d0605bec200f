package io.github.ratelimit.spring.method;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.github.ratelimit.RateLimitExceededException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/**
 * The method of a bean that is called instead of a denied one.
 */
final class DenialFallback {

	private final Method method;

	private final boolean takesDenial;

	private DenialFallback(Method method, boolean takesDenial) {
		this.method = method;
		this.takesDenial = takesDenial;
	}

	/**
	 * Finds the fallback of a method.
	 * @throws IllegalArgumentException if there is none with its arguments and result
	 */
	static DenialFallback of(String name, Method limited, Class<?> type) {
		if (KotlinDetector.isSuspendingFunction(limited)) {
			throw new IllegalArgumentException("a suspend function has no fallback; catch the exception instead");
		}
		List<Class<?>> arguments = List.of(limited.getParameterTypes());
		List<Class<?>> withDenial = new ArrayList<>(arguments);
		withDenial.add(RateLimitExceededException.class);
		for (List<Class<?>> parameters : List.of(withDenial, arguments)) {
			Method method = ReflectionUtils.findMethod(type, name, parameters.toArray(Class<?>[]::new));
			if (method != null && !method.equals(limited) && fits(method, limited, type)) {
				ReflectionUtils.makeAccessible(method);
				return new DenialFallback(method, parameters.size() > arguments.size());
			}
		}
		throw new IllegalArgumentException("there is no fallback '" + name + "' in " + type.getName()
				+ " with the arguments " + arguments.stream().map(Class::getSimpleName).toList()
				+ " of the method, optionally followed by a RateLimitExceededException, and a result of type "
				+ limited.getReturnType().getSimpleName());
	}

	private static boolean fits(Method method, Method limited, Class<?> type) {
		return ResolvableType.forMethodReturnType(limited, type)
			.isAssignableFrom(ResolvableType.forMethodReturnType(method, type));
	}

	Method method() {
		return this.method;
	}

	/** Returns the result for a denied call. */
	@Nullable Object call(MethodInvocation invocation, RateLimitExceededException denial) throws Throwable {
		@Nullable Object[] arguments = invocation.getArguments();
		if (this.takesDenial) {
			arguments = Arrays.copyOf(arguments, arguments.length + 1);
			arguments[arguments.length - 1] = denial;
		}
		try {
			return this.method.invoke(invocation.getThis(), arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

}
