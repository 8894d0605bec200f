package io.github.ratelimit.spring.graphql;

import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.key.CallerSource;
import io.github.ratelimit.spring.key.Callers;
import io.micrometer.context.ContextRegistry;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.core.NamedThreadLocal;
import org.springframework.core.Ordered;
import org.springframework.graphql.server.WebGraphQlRequest;
import org.springframework.graphql.server.WebSocketGraphQlRequest;
import org.springframework.util.ObjectUtils;

/**
 * A source of the callers of operations, for data fetchers on whatever thread Spring
 * GraphQL calls them. It binds them to that thread, and unbinds them after.
 */
public final class GraphQlCallers implements CallerSource, Ordered, AutoCloseable {

	/** The name of the caller in the Reactor context, of this application alone. */
	private final String key = ObjectUtils.identityToString(this);

	@SuppressWarnings("ThreadLocalUsage") // of one application, as its registration
	private final ThreadLocal<Caller> bound = new NamedThreadLocal<>("Caller of a GraphQL operation");

	private final Callers requests;

	/**
	 * Creates a source.
	 * @param requests the callers of requests
	 */
	public GraphQlCallers(Callers requests) {
		this.requests = requests;
		ContextRegistry.getInstance()
			.registerThreadLocalAccessor(this.key, this.bound::get, this.bound::set, this.bound::remove);
	}

	/** Forgets the thread-local, as the registry is that of the JVM. */
	@Override
	public void close() {
		ContextRegistry.getInstance().removeThreadLocalAccessor(this.key);
	}

	/** Returns a context in which data fetchers find a caller. */
	Context bind(Context context, Caller caller) {
		return context.put(this.key, caller);
	}

	@Override
	public Caller current() {
		Caller caller = this.bound.get();
		return (caller != null) ? caller : Caller.NONE;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	/**
	 * Emits the caller of an operation. Over a WebSocket it is the one who opened it, as
	 * the request has ended that some threads still know.
	 */
	Mono<Caller> of(WebGraphQlRequest request) {
		if (request instanceof WebSocketGraphQlRequest socket) {
			return socket.getSessionInfo()
				.getPrincipal()
				.<Caller>map((user) -> new GraphQlCaller(socket, user))
				.switchIfEmpty(Mono.fromSupplier(() -> new GraphQlCaller(socket, null)));
		}
		return this.requests.ofSubscriber();
	}

}
