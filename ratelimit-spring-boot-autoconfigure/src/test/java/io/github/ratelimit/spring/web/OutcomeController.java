package io.github.ratelimit.spring.web;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;

import io.github.ratelimit.RateLimited;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * A controller whose responses differ in status, size and duration.
 */
@RestController
class OutcomeController {

	static final SlowCall SLOW = new SlowCall();

	@GetMapping("/status/{status:\\d+}")
	ResponseEntity<String> status(@PathVariable int status) {
		return ResponseEntity.status(status).body("status");
	}

	@GetMapping("/status/thrown")
	String thrown() {
		throw new IllegalStateException("thrown by a test");
	}

	@GetMapping("/status/refused")
	String refused() {
		throw new ResponseStatusException(HttpStatus.UNAUTHORIZED);
	}

	@GetMapping("/status/later")
	Mono<ResponseEntity<String>> later() {
		return Mono.just(status(401)).delayElement(Duration.ofMillis(1));
	}

	@GetMapping("/bytes/text")
	String text() {
		return "hello world";
	}

	@GetMapping("/bytes/stream")
	StreamingResponseBody stream() {
		return this::writeInParts;
	}

	private void writeInParts(OutputStream body) throws IOException {
		for (int part = 0; part < 3; part++) {
			body.write("x".repeat(1000).getBytes(StandardCharsets.UTF_8));
			body.flush();
		}
	}

	@GetMapping("/bytes/flux")
	Flux<String> flux() {
		return Flux.range(0, 3).map((part) -> "x".repeat(1000)).delayElements(Duration.ofMillis(1));
	}

	@GetMapping("/annotated/{server}/{status}")
	@RateLimited(policy = "failures", key = "#server", chargeWhen = "#response.status == 401")
	Mono<ResponseEntity<String>> annotated(@PathVariable String server, @PathVariable int status) {
		return Mono.just(status(status));
	}

	@GetMapping("/ruled/slow")
	Mono<String> ruled() {
		return Mono.fromCallable(SLOW::call).subscribeOn(Schedulers.boundedElastic());
	}

	@GetMapping("/annotated/slow")
	@RateLimited("busy")
	Mono<String> annotatedSlow() {
		return ruled();
	}

	@GetMapping("/annotated/slow/blocking")
	@RateLimited("busy")
	String blocking() throws InterruptedException {
		return SLOW.call();
	}

	@GetMapping("/item/{number}")
	String item(@PathVariable int number) {
		return "item";
	}

	@GetMapping("/parts")
	String parts() {
		return "parts";
	}

	@GetMapping("/mapped/{id}")
	@RateLimited(policy = "item", key = "#request.pathVariable('id') + '/' + #request.query('q') + '/' "
			+ "+ #request.address + '/' + #request.method")
	String mapped() {
		return "mapped";
	}

	/** A call that ends when the test says so. */
	static final class SlowCall {

		private final Semaphore begun = new Semaphore(0);

		private final Semaphore ended = new Semaphore(0);

		String call() throws InterruptedException {
			this.begun.release();
			this.ended.acquire();
			return "slow";
		}

		void awaitCall() {
			this.begun.acquireUninterruptibly();
		}

		void end() {
			this.ended.release();
		}

	}

}
