package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * When a method has its answer, and so when a call of it has to be decided on.
 */
enum AnswerKind {

	/** When the method returns. */
	VALUE,

	/** Some time after the method has returned. */
	STAGE,

	/** Some time after what the method returned is subscribed to. */
	REACTIVE,

	/** When the suspend function resumes, which proxies see as a {@code Mono}. */
	SUSPENDED,

	/** While the flow is collected that a suspend function returned: a {@code Flux}. */
	SUSPENDED_FLOW;

	static AnswerKind of(Method method) {
		if (KotlinDetector.isSuspendingFunction(method)) {
			return hasManyValues(new MethodParameter(method, -1).getParameterType()) ? SUSPENDED_FLOW : SUSPENDED;
		}
		Class<?> returned = method.getReturnType();
		if (CompletionStage.class.isAssignableFrom(returned)) {
			return returned.isAssignableFrom(CompletableFuture.class) ? STAGE : VALUE;
		}
		return (ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned) != null) ? REACTIVE : VALUE;
	}

	/** Whether a call is decided without a thread that waits for it. */
	boolean isReactive() {
		return this == REACTIVE || isSuspended();
	}

	boolean isSuspended() {
		return this == SUSPENDED || this == SUSPENDED_FLOW;
	}

	private static boolean hasManyValues(Class<?> returned) {
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned);
		return adapter != null && adapter.isMultiValue();
	}

}
