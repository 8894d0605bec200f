package io.github.ratelimit.spring.key;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.List;
import java.util.Optional;

import io.github.ratelimit.key.Caller;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.util.ClassUtils;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.server.ServerWebExchange;

/**
 * A source of the callers of reactive requests. It reads the exchange that Spring's
 * {@link ServerWebExchangeContextFilter} puts into the Reactor context.
 */
public final class ReactiveCallerSource {

	private static final boolean SECURITY = ClassUtils.isPresent("org.springframework.security.core.Authentication",
			ReactiveCallerSource.class.getClassLoader());

	/**
	 * Emits the caller of the request that the subscriber serves.
	 * @return the caller, or empty outside a request
	 */
	public Mono<Caller> current() {
		return Mono.deferContextual((context) -> Mono.justOrEmpty(ServerWebExchangeContextFilter.getExchange(context)))
			.flatMap(this::of);
	}

	/**
	 * Emits the caller of an exchange.
	 * @param exchange an exchange
	 * @return its caller
	 */
	public Mono<Caller> of(ServerWebExchange exchange) {
		return exchange.getPrincipal()
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.map((principal) -> new ReactiveCaller(exchange, principal.orElse(null)));
	}

	private record ReactiveCaller(ServerWebExchange exchange, @Nullable Principal authenticated) implements Caller {

		@Override
		public @Nullable String remoteAddress() {
			InetSocketAddress peer = this.exchange.getRequest().getRemoteAddress();
			InetAddress address = (peer != null) ? peer.getAddress() : null;
			return (address != null) ? address.getHostAddress() : null;
		}

		@Override
		public @Nullable Principal user() {
			return this.authenticated;
		}

		@Override
		public boolean hasRole(String role) {
			return this.authenticated != null && SECURITY && Authorities.hasRole(this.authenticated, role);
		}

		@Override
		public List<String> headers(String name) {
			return this.exchange.getRequest().getHeaders().getOrEmpty(name);
		}

	}

}
