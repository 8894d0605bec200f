package io.github.ratelimit.sample.live;

import java.io.IOException;
import java.util.List;
import java.util.UUID;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.RateLimited;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Opens streams of decisions. How many an address may open is limited, and so is the
 * number of keys, as calls need a stream.
 */
@RestController
class StreamController {

	private final EventStreams streams;

	private final LiveProperties properties;

	private final JsonMapper json;

	StreamController(EventStreams streams, LiveProperties properties, JsonMapper json) {
		this.streams = streams;
		this.properties = properties;
		this.json = json;
	}

	@GetMapping("/live/events")
	@RateLimited("live-streams")
	void open(@RequestParam UUID visitor, HttpServletRequest request, HttpServletResponse response) throws IOException {
		EventStream stream = this.streams.open(visitor, request, response);
		stream.send("welcome",
				this.json.writeValueAsString(new Welcome(CallController.key(visitor), this.properties.instances())));
		stream.start();
	}

	/**
	 * The first event of a stream.
	 *
	 * @param key the visitor's key, as operators write it
	 * @param instances the origins of all instances
	 */
	record Welcome(String key, List<String> instances) {

	}

}
