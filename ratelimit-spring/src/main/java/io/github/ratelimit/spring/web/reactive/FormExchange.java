package io.github.ratelimit.spring.web.reactive;

import java.util.Map;
import java.util.Set;

import io.github.ratelimit.spring.form.PostedForm;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.ResolvableType;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.codec.FormHttpMessageReader;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;

/**
 * An exchange whose form was read for the key of a rule. The application reads the same
 * body and form as without the rule.
 */
final class FormExchange extends ServerWebExchangeDecorator {

	private static final ResolvableType FORM = ResolvableType.forClassWithGenerics(MultiValueMap.class, String.class,
			String.class);

	/** The attribute of the body, for a filter that sends the exchange on again. */
	private static final String BODY = FormExchange.class.getName() + ".BODY";

	private final ServerHttpRequest request;

	private final Mono<MultiValueMap<String, String>> form;

	private FormExchange(ServerWebExchange exchange, byte[] body) {
		super(exchange);
		this.request = new ServerHttpRequestDecorator(exchange.getRequest()) {

			@Override
			public Flux<DataBuffer> getBody() {
				return Flux.defer(() -> Flux.just(exchange.getResponse().bufferFactory().wrap(body.clone())));
			}

		};
		this.form = new FormHttpMessageReader().readMono(FORM, this.request, Map.of())
			.defaultIfEmpty(new LinkedMultiValueMap<>())
			.cache();
	}

	/** Returns whether a request posts a form of a size that is read. */
	static boolean isReadable(ServerHttpRequest request) {
		HttpHeaders headers = request.getHeaders();
		return PostedForm.isReadable(request.getMethod().name(), headers.getFirst(HttpHeaders.CONTENT_TYPE), null,
				headers.getContentLength());
	}

	/** Reads the form of an exchange. Emits an exchange in which it can be read again. */
	static Mono<ServerWebExchange> read(ServerWebExchange exchange) {
		byte[] body = exchange.getAttribute(BODY);
		return (body != null) ? counted(new FormExchange(exchange, body), body) : readFirst(exchange);
	}

	private static Mono<ServerWebExchange> readFirst(ServerWebExchange exchange) {
		return DataBufferUtils.join(exchange.getRequest().getBody(), PostedForm.MOST_BYTES)
			.map(FormExchange::bytes)
			.onErrorResume(IllegalStateException.class, (ex) -> Mono.empty())
			.doOnNext((body) -> exchange.getAttributes().put(BODY, body))
			.flatMap((body) -> counted(new FormExchange(exchange, body), body))
			.switchIfEmpty(Mono.defer(() -> counted(exchange, new byte[0])));
	}

	/** Counts the fields that the application gets: none if it gets an error. */
	private static Mono<ServerWebExchange> counted(ServerWebExchange exchange, byte[] body) {
		return exchange.getFormData()
			.onErrorReturn(new LinkedMultiValueMap<>())
			.doOnNext((fields) -> exchange.getAttributes()
				.put(PostedForm.ATTRIBUTE, PostedForm.of(body, fields, query(exchange))))
			.thenReturn(exchange);
	}

	private static @Nullable Set<String> query(ServerWebExchange exchange) {
		try {
			return exchange.getRequest().getQueryParams().keySet();
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	private static byte[] bytes(DataBuffer body) {
		byte[] bytes = new byte[body.readableByteCount()];
		body.read(bytes);
		DataBufferUtils.release(body);
		return bytes;
	}

	@Override
	public ServerHttpRequest getRequest() {
		return this.request;
	}

	@Override
	public Mono<MultiValueMap<String, String>> getFormData() {
		return this.form;
	}

}
