package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * The moments at which methods have their result, by return type. They determine when a
 * call is decided.
 */
enum ReturnKind {

	/** The return of the method. */
	VALUE,

	/**
	 * The end of the request that the call serves, at the latest, as the method may use a
	 * callback after its return.
	 */
	CALLBACK,

	/** An end that a {@code Future} does not tell, unless it is a stage. */
	UNKNOWN,

	/** The completion of a stage, after the method has returned. */
	STAGE,

	/** A signal after the returned publisher is subscribed to. */
	REACTIVE,

	/** The resumption of a suspend function, which proxies see as a {@code Mono}. */
	SUSPENDED,

	/** The collection of the flow of a suspend function, seen as a {@code Flux}. */
	SUSPENDED_FLOW;

	/** The callback of gRPC services. */
	private static final String STREAM_OBSERVER = "io.grpc.stub.StreamObserver";

	/** Returns the kind of a method. */
	static ReturnKind of(Method method) {
		if (KotlinDetector.isSuspendingFunction(method)) {
			return hasManyValues(new MethodParameter(method, -1).getParameterType()) ? SUSPENDED_FLOW : SUSPENDED;
		}
		Class<?> returned = method.getReturnType();
		if (CompletionStage.class.isAssignableFrom(returned)) {
			return returned.isAssignableFrom(CompletableFuture.class) ? STAGE : VALUE;
		}
		if (Future.class.isAssignableFrom(returned)) {
			return UNKNOWN;
		}
		if (Stream.of(method.getParameterTypes()).anyMatch((type) -> type.getName().equals(STREAM_OBSERVER))) {
			return CALLBACK;
		}
		return (ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned) != null) ? REACTIVE : VALUE;
	}

	/** Returns whether a call is decided without a waiting thread. */
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
