package io.github.ratelimit.spring.key;

import io.github.ratelimit.key.Caller;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The callers of a protocol whose calls may be served by a thread or by a subscriber.
 *
 * @param threads the callers whom threads serve
 * @param subscribers the callers of reactive requests; {@code null} outside WebFlux
 */
public record Callers(CallerSource threads, @Nullable ReactiveCallerSource subscribers) {

	/**
	 * Returns the caller whom the current thread serves.
	 * @return the caller, or {@link Caller#NONE} if there is none
	 */
	public Caller ofThread() {
		return this.threads.current();
	}

	/**
	 * Emits the caller whom the subscriber serves, or else the thread that subscribes.
	 * @return the caller, or {@link Caller#NONE} if there is none
	 */
	public Mono<Caller> ofSubscriber() {
		Mono<Caller> ofThread = Mono.fromSupplier(this::ofThread);
		return (this.subscribers != null) ? this.subscribers.current().switchIfEmpty(ofThread) : ofThread;
	}

}
