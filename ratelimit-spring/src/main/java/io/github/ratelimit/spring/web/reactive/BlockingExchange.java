package io.github.ratelimit.spring.web.reactive;

import java.security.Principal;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebSession;

/**
 * An exchange whose parts arrive on threads that may block, so that a handler whose
 * arguments are bound to them is called on such a thread.
 */
final class BlockingExchange extends ServerWebExchangeDecorator {

	private final ServerHttpRequest request;

	private BlockingExchange(ServerWebExchange exchange) {
		super(exchange);
		this.request = new ServerHttpRequestDecorator(exchange.getRequest()) {

			@Override
			public Flux<DataBuffer> getBody() {
				return super.getBody().publishOn(Schedulers.boundedElastic());
			}

		};
	}

	/** Calls a handler on a thread that may block. */
	static Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler, HandlerAdapter adapter) {
		return Mono.defer(() -> adapter.handle(new BlockingExchange(exchange), handler))
			.subscribeOn(Schedulers.boundedElastic());
	}

	@Override
	public ServerHttpRequest getRequest() {
		return this.request;
	}

	@Override
	public Mono<MultiValueMap<String, String>> getFormData() {
		return super.getFormData().publishOn(Schedulers.boundedElastic());
	}

	@Override
	public Mono<MultiValueMap<String, Part>> getMultipartData() {
		return super.getMultipartData().publishOn(Schedulers.boundedElastic());
	}

	@Override
	public Mono<WebSession> getSession() {
		return super.getSession().publishOn(Schedulers.boundedElastic());
	}

	@Override
	public <T extends Principal> Mono<T> getPrincipal() {
		return super.<T>getPrincipal().publishOn(Schedulers.boundedElastic());
	}

}
