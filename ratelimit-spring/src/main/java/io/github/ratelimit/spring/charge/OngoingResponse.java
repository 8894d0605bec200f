package io.github.ratelimit.spring.charge;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.http.HttpEntity;
import org.springframework.util.ClassUtils;

/**
 * A result of a method that others complete after the method has returned, as the
 * response to the request: what Spring MVC and WebFlux run, stream or subscribe to, bare
 * or as the body of an entity, and the responses of handler functions.
 */
final class OngoingResponse {

	private static final List<Class<?>> TYPES = present(Callable.class.getName(),
			"org.springframework.web.context.request.async.WebAsyncTask",
			"org.springframework.web.context.request.async.DeferredResult",
			"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
			"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody",
			"org.springframework.web.servlet.function.ServerResponse",
			"org.springframework.web.reactive.function.server.ServerResponse");

	private static final boolean HAS_ENTITIES = ClassUtils.isPresent("org.springframework.http.HttpEntity",
			OngoingResponse.class.getClassLoader());

	private OngoingResponse() {
	}

	private static List<Class<?>> present(String... names) {
		ClassLoader classes = OngoingResponse.class.getClassLoader();
		return Stream.of(names)
			.filter((name) -> ClassUtils.isPresent(name, classes))
			.<Class<?>>map((name) -> ClassUtils.resolveClassName(name, classes))
			.toList();
	}

	/** Returns whether a result is such a response. */
	static boolean is(@Nullable Object result) {
		return result != null && (isBare(result)
				|| (HAS_ENTITIES && result instanceof HttpEntity<?> entity && isBare(entity.getBody())));
	}

	private static boolean isBare(@Nullable Object result) {
		return result != null && (TYPES.stream().anyMatch((type) -> type.isInstance(result))
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, result) != null);
	}

}
