package io.github.ratelimit.sample.docs.recipes;

import java.time.Duration;

import io.github.ratelimit.RateLimited;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.Sinks.EmitFailureHandler;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Profile;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Streams of Spring WebFlux.
 */
@Profile("docs")
@RestController
class ReactiveStreams {

	private final Sinks.Many<String> events = Sinks.many().multicast().directBestEffort();

	private final Flux<ServerSentEvent<String>> beats;

	ReactiveStreams(@Value("${streams.heartbeat}") Duration heartbeat) {
		this.beats = Flux.interval(Duration.ZERO, heartbeat)
			.onBackpressureDrop()
			.map((beat) -> ServerSentEvent.<String>builder().comment("beat").build());
	}

	@GetMapping("/streams")
	@RateLimited("streams")
	Flux<ServerSentEvent<String>> open() {
		return this.events.asFlux().map((event) -> ServerSentEvent.builder(event).build()).mergeWith(this.beats);
	}

	void publish(String event) {
		this.events.emitNext(event, EmitFailureHandler.busyLooping(Duration.ofSeconds(1)));
	}

}
