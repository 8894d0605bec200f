package io.github.ratelimit.spring.mcp;

import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.key.CallerSource;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The senders of the messages that call tools. A message over HTTP is a request. On
 * WebFlux, a synchronous server calls tools on threads that know no request.
 */
public final class ToolCallers {

	private final CallerSource threads;

	private final @Nullable ReactiveCallerSource subscribers;

	/**
	 * Creates a source of senders.
	 * @param threads the callers of the requests that threads serve
	 * @param subscribers the callers of reactive requests; {@code null} outside WebFlux
	 */
	public ToolCallers(CallerSource threads, @Nullable ReactiveCallerSource subscribers) {
		this.threads = threads;
		this.subscribers = subscribers;
	}

	/** Returns the sender of the request that the thread serves. */
	Caller ofThread() {
		return this.threads.current();
	}

	/** Emits the sender of the subscriber, or that of the thread that subscribes. */
	Mono<Caller> ofSubscriber() {
		Mono<Caller> ofThread = Mono.fromSupplier(this::ofThread);
		return (this.subscribers != null) ? this.subscribers.current().switchIfEmpty(ofThread) : ofThread;
	}

}
