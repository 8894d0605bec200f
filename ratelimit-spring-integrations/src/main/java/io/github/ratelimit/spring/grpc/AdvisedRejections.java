package io.github.ratelimit.spring.grpc;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.spring.rejection.Rejection;
import org.jspecify.annotations.Nullable;

import org.springframework.grpc.server.advice.GrpcExceptionHandlerMethodResolver;

/**
 * The rejections that {@code @GrpcAdvice} of the application maps to statuses itself. A
 * method for all exceptions does not count.
 */
public final class AdvisedRejections implements Predicate<Throwable> {

	private final Supplier<@Nullable GrpcExceptionHandlerMethodResolver> advice;

	/**
	 * Creates the rejections.
	 * @param advice supplies the methods of the application's advice, {@code null}
	 * without advice
	 */
	public AdvisedRejections(Supplier<@Nullable GrpcExceptionHandlerMethodResolver> advice) {
		this.advice = advice;
	}

	@Override
	public boolean test(Throwable exception) {
		Class<? extends Throwable> general = general(exception);
		GrpcExceptionHandlerMethodResolver methods = (general != null) ? this.advice.get() : null;
		return general != null && methods != null
				&& !Objects.equals(method(methods, exception.getClass()), method(methods, general));
	}

	/** Returns the type of rejections and of other exceptions, null for the others. */
	private static @Nullable Class<? extends Throwable> general(Throwable exception) {
		if (exception instanceof InvalidCostException) {
			return IllegalArgumentException.class;
		}
		if (exception instanceof CancellationException) {
			return IllegalStateException.class;
		}
		return (Rejection.of(exception) != null) ? RuntimeException.class : null;
	}

	private static @Nullable Method method(GrpcExceptionHandlerMethodResolver methods,
			Class<? extends Throwable> type) {
		return methods.resolveMethodWithInstance(type).getValue();
	}

}
