package io.github.ratelimit.spring.method;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

import org.springframework.security.access.AccessDeniedException;

/**
 * Types of what calls return or throw in the end, however they return it.
 */
final class Outcomes {

	private Outcomes() {
	}

	static List<Class<?>> outcomes(int calls, Callable<?> call) {
		return Stream.generate(() -> outcome(call)).limit(calls).<Class<?>>map(Outcomes::type).toList();
	}

	private static @Nullable Object outcome(Callable<?> call) {
		try {
			Object returned = call.call();
			return (returned instanceof Mono<?> mono) ? mono.block()
					: (returned instanceof CompletableFuture<?> stage) ? stage.join() : returned;
		}
		catch (CompletionException ex) {
			return ex.getCause();
		}
		catch (Exception ex) {
			return Exceptions.isRetryExhausted(ex) ? ex.getCause() : Exceptions.unwrap(ex);
		}
	}

	/** Spring Security throws a kind of its own exception. */
	private static Class<?> type(@Nullable Object outcome) {
		return (outcome instanceof AccessDeniedException) ? AccessDeniedException.class
				: Objects.requireNonNull(outcome).getClass();
	}

}
