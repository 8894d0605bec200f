package io.github.ratelimit.sample.docs.recipes;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimited;

import org.springframework.context.annotation.Profile;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter.SseEventBuilder;

/**
 * Streams of Spring MVC.
 */
@Profile("docs")
@RestController
@EnableScheduling
class Streams {

	private final Set<SseEmitter> open = ConcurrentHashMap.newKeySet();

	@GetMapping("/streams")
	@RateLimited("streams")
	SseEmitter open() {
		SseEmitter stream = new SseEmitter(0L); // without a timeout
		stream.onCompletion(() -> this.open.remove(stream));
		this.open.add(stream);
		return stream;
	}

	void publish(String event) {
		send(() -> SseEmitter.event().data(event));
	}

	@Scheduled(fixedRateString = "${streams.heartbeat}")
	void beat() {
		send(() -> SseEmitter.event().comment("beat"));
	}

	private void send(Supplier<SseEventBuilder> event) {
		for (SseEmitter stream : List.copyOf(this.open)) {
			try {
				stream.send(event.get());
			}
			catch (IOException | IllegalStateException ex) {
				this.open.remove(stream); // its client has gone
			}
		}
	}

}
