package io.github.ratelimit.spring.method;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

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
	REACTIVE;

	static AnswerKind of(Class<?> returned) {
		if (CompletionStage.class.isAssignableFrom(returned)) {
			return returned.isAssignableFrom(CompletableFuture.class) ? STAGE : VALUE;
		}
		return (ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned) != null) ? REACTIVE : VALUE;
	}

}
