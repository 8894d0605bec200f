package io.github.ratelimit.spring.ai;

import java.util.Map;

import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.key.CallerSource;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKey;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The callers for whom models are called, and their keys.
 */
public final class ChatCallers {

	private static final String PLACE = "the calls of language models";

	private final KeyResolvers keys;

	private final CallerSource threads;

	private final @Nullable ReactiveCallerSource subscribers;

	/**
	 * Creates a source of callers.
	 * @param keys creates the resolvers of keys
	 * @param threads the callers of the requests that threads serve
	 * @param subscribers the callers of reactive requests; {@code null} outside WebFlux
	 */
	public ChatCallers(KeyResolvers keys, CallerSource threads, @Nullable ReactiveCallerSource subscribers) {
		this.keys = keys;
		this.threads = threads;
		this.subscribers = subscribers;
	}

	/** Returns a policy with its resolvers, which may use some variables of calls. */
	PolicyKey key(Policy policy, Map<String, Class<?>> types) {
		return this.keys.of(policy, policy.keys(), this.keys.scope().withVariables(types), PLACE);
	}

	/** Returns the caller of the request that the thread serves. */
	Caller ofThread() {
		return this.threads.current();
	}

	/** Emits the caller of the subscriber, or that of the thread that subscribes. */
	Mono<Caller> ofSubscriber() {
		Mono<Caller> ofThread = Mono.fromSupplier(this::ofThread);
		return (this.subscribers != null) ? this.subscribers.current().switchIfEmpty(ofThread) : ofThread;
	}

}
