package io.github.ratelimit.spring.web.reactive;

import java.util.concurrent.Executor;

import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;

import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * The thread on which a request continues after a decision that was not there at once.
 */
final class ServingThread {

	private static final boolean HAS_NETTY = ClassUtils.isPresent("reactor.netty.Connection",
			ServingThread.class.getClassLoader());

	private ServingThread() {
	}

	/**
	 * Returns the event loop of the request's connection on Reactor Netty, which writes
	 * the response without waking another thread; on other servers a thread of Reactor.
	 */
	static Executor of(ServerWebExchange exchange) {
		return (HAS_NETTY && nativeRequest(exchange) instanceof Connection connection)
				? connection.channel().eventLoop() : Schedulers.parallel()::schedule;
	}

	/** Returns the server's own request; the exchange's if there is no server. */
	private static Object nativeRequest(ServerWebExchange exchange) {
		try {
			return ServerHttpRequestDecorator.getNativeRequest(exchange.getRequest());
		}
		catch (IllegalArgumentException | IllegalStateException ex) {
			return exchange.getRequest();
		}
	}

}
