package io.github.ratelimit.spring.web.reactive;

import java.util.concurrent.atomic.AtomicLong;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;

/**
 * A response that counts the bytes of its body.
 */
final class MeasuredReactiveResponse extends ServerHttpResponseDecorator {

	private final AtomicLong size = new AtomicLong();

	MeasuredReactiveResponse(ServerHttpResponse response) {
		super(response);
	}

	/** Returns the bytes that were written. */
	long size() {
		return this.size.get();
	}

	@Override
	public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
		return super.writeWith((body instanceof Mono) ? Mono.from(body).doOnNext(this::add) : counted(body));
	}

	@Override
	public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
		return super.writeAndFlushWith(Flux.from(body).map(this::counted));
	}

	private Flux<? extends DataBuffer> counted(Publisher<? extends DataBuffer> body) {
		return Flux.from(body).doOnNext(this::add);
	}

	private void add(DataBuffer buffer) {
		this.size.addAndGet(buffer.readableByteCount());
	}

}
