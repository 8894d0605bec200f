package io.github.ratelimit.spring.charge;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

import static org.assertj.core.api.Assertions.assertThat;

class AdmissionTests {

	private static final List<Charge> BUSY = List.of(Charge.of("busy", "k"));

	private final RateLimiter limiter = new RateLimiter(
			new Policies(List.of(new Policy("busy", List.of(Limit.parse("1 concurrent")), List.of(Policy.EVERYONE)))),
			new MemoryRateLimitStore(10), List.of());

	private final Gate gate = new Gate(this.limiter);

	private final RequestCharges request = new RequestCharges((decision) -> {
	});

	static Stream<Object> ongoing() {
		StreamingResponseBody body = (output) -> {
		};
		Callable<String> task = () -> "";
		return Stream.of(task, body, new DeferredResult<>(), new SseEmitter(), ResponseEntity.ok(body),
				ResponseEntity.ok(new SseEmitter()), ResponseEntity.ok(Flux.never()), ResponseEntity.ok(Mono.never()),
				Mono.never(), org.springframework.web.servlet.function.ServerResponse.noContent().build(),
				org.springframework.web.reactive.function.server.ServerResponse.noContent().build().block());
	}

	@ParameterizedTest
	@MethodSource("ongoing")
	void endsWithTheRequestIfOthersCompleteItsResult(Object result) {
		enter(this.request).callEnded(result, null);
		assertThat(isFree()).isFalse();
		this.request.end(null, null);
		assertThat(isFree()).isTrue();
	}

	@ParameterizedTest
	@MethodSource("ongoing")
	void endsWithTheCallOutsideARequest(Object result) {
		enter(RequestCharges.NONE).callEnded(result, null);
		assertThat(isFree()).isTrue();
	}

	@ParameterizedTest
	@MethodSource("ongoing")
	void endsAtOnceIfTheRequestHasEnded(Object result) {
		Admission admission = enter(this.request);
		this.request.end(null, null);
		admission.callEnded(result, null);
		assertThat(isFree()).isTrue();
	}

	@ParameterizedTest
	@MethodSource("ongoing")
	void endsWhenItIsCancelled(Object last) {
		enter(this.request).callCancelled(last);
		assertThat(isFree()).isTrue();
	}

	static Stream<Object> complete() {
		return Stream.of("text", ResponseEntity.ok("text"), List.of());
	}

	@ParameterizedTest
	@MethodSource("complete")
	void endsWithTheCallIfItsResultIsComplete(Object result) {
		enter(this.request).callEnded(result, null);
		assertThat(isFree()).isTrue();
	}

	@Test
	void endsWithTheCallIfItFails() {
		enter(this.request).callEnded(null, new IllegalStateException());
		assertThat(isFree()).isTrue();
	}

	private Admission enter(RequestCharges request) {
		return this.gate.enter(CallCharges.of(BUSY), request, null);
	}

	private boolean isFree() {
		return this.limiter.peek(BUSY).allowed();
	}

}
