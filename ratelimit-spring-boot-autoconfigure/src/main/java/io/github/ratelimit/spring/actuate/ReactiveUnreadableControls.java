package io.github.ratelimit.spring.actuate;

import java.util.function.Supplier;

import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The responses of WebFlux to controls whose body cannot be read, which reach no
 * endpoint.
 */
public final class ReactiveUnreadableControls implements WebExceptionHandler, Ordered {

	private final UnreadableControls controls;

	/**
	 * Creates responses.
	 * @param endpoints supplies the paths of the endpoints
	 */
	public ReactiveUnreadableControls(Supplier<PathMappedEndpoints> endpoints) {
		this.controls = new UnreadableControls(endpoints);
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable ex) {
		ServerHttpResponse response = exchange.getResponse();
		if (!(ex instanceof ServerWebInputException) || !isControl(exchange)
				|| !response.setStatusCode(HttpStatus.BAD_REQUEST)) {
			return Mono.error(ex);
		}
		response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
		return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(this.controls.response())));
	}

	private boolean isControl(ServerWebExchange exchange) {
		return exchange.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE) instanceof PathPattern pattern
				&& this.controls.isTheirs(pattern.getPatternString());
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

}
