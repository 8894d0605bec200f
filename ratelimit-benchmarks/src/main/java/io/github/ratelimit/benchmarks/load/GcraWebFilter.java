package io.github.ratelimit.benchmarks.load;

import java.util.Objects;

import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * A reactive filter as one would write it by hand.
 */
final class GcraWebFilter implements WebFilter {

	private final ByHand limit;

	GcraWebFilter(ByHand limit) {
		this.limit = limit;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		Scenario scenario = Scenario.ofPath(exchange.getRequest().getPath().value());
		String key = Objects.requireNonNull(exchange.getRequest().getHeaders().getFirst(HttpCalls.KEY_HEADER));
		return Mono.fromCompletionStage(this.limit.askAsync(scenario, key)).flatMap((verdict) -> {
			ServerHttpResponse response = exchange.getResponse();
			verdict.writeTo(scenario, response.getHeaders()::set);
			if (verdict.allowed()) {
				return chain.filter(exchange);
			}
			byte[] body = ByHand.Answer.body(scenario, exchange.getRequest().getPath().value());
			response.setStatusCode(HttpStatus.TOO_MANY_REQUESTS);
			response.getHeaders().setContentLength(body.length);
			return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
		});
	}

}
