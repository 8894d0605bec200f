package io.github.ratelimit.test;

import java.net.InetAddress;
import java.net.InetSocketAddress;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * A filter that gives requests without a connection the address 127.0.0.1, which those of
 * MockMvc have too.
 */
final class LoopbackWebFilter implements WebFilter, Ordered {

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (exchange.getRequest().getRemoteAddress() != null) {
			return chain.filter(exchange);
		}
		InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
		return chain.filter(exchange.mutate().request((request) -> request.remoteAddress(loopback)).build());
	}

}
