package io.github.ratelimit.spring.web.ended;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * A controller whose methods have results that Spring MVC and WebFlux both understand.
 */
@RestController
class EndingController {

	private final Calls calls;

	EndingController(Calls calls) {
		this.calls = calls;
	}

	@GetMapping("/stage/{ending}/{id}")
	@UntilItEnds
	CompletableFuture<String> stage(@PathVariable Ending ending, @PathVariable String id) {
		this.calls.begin(id, ending);
		return switch (ending) {
			case TIMES_OUT -> new CompletableFuture<>();
			case FAILS -> this.calls.end(id).thenApply((done) -> {
				throw new Failure();
			});
			default -> this.calls.end(id).thenApply((done) -> "stage");
		};
	}

	@GetMapping("/mono/{ending}/{id}")
	@UntilItEnds
	Mono<String> mono(@PathVariable Ending ending, @PathVariable String id) {
		this.calls.begin(id, ending);
		return (ending == Ending.CLIENT_LEAVES) ? parts(ending, id).take(EndedCallsContract.TIMEOUT).last()
				: parts(ending, id).last();
	}

	@GetMapping(path = "/flux/{ending}/{id}", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	@UntilItEnds
	Flux<String> flux(@PathVariable Ending ending, @PathVariable String id) {
		this.calls.begin(id, ending);
		return parts(ending, id);
	}

	@GetMapping(path = "/entity/{ending}/{id}", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	@UntilItEnds
	Mono<ResponseEntity<Flux<String>>> entity(@PathVariable Ending ending, @PathVariable String id) {
		this.calls.begin(id, ending);
		return Mono.just(ResponseEntity.ok(parts(ending, id)));
	}

	private Flux<String> parts(Ending ending, String id) {
		Mono<String> end = Mono.fromFuture(() -> this.calls.end(id)).thenReturn("part");
		return switch (ending) {
			case COMPLETES, THROWS -> end.flux();
			case FAILS -> end.flatMapMany((part) -> Mono.error(new Failure()));
			case BREAKS -> Flux.just("part").concatWith(end.flatMap((part) -> Mono.error(new Failure())));
			case TIMES_OUT -> Flux.<String>never()
				.timeout(EndedCallsContract.TIMEOUT,
						Mono.error(new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE)));
			case CLIENT_LEAVES -> Flux.interval(Duration.ofMillis(2)).map((part) -> "part");
		};
	}

}
