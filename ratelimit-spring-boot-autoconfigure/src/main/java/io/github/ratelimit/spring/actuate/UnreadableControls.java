package io.github.ratelimit.spring.actuate;

import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;

/**
 * The response to controls whose body is no JSON object of texts and numbers.
 *
 * @param endpoints supplies the paths of the endpoints
 */
record UnreadableControls(Supplier<PathMappedEndpoints> endpoints) {

	private static final String RESPONSE = """
			{"detail":"the body is not a JSON object whose values are texts or numbers, such as \
			{\\"policy\\": \\"quotes\\", \\"key\\": \\"client-ip:192.0.2.1\\", \\"duration\\": \\"10m\\"}"}""";

	/** Returns whether a pattern is that of the endpoint of controls. */
	boolean isTheirs(String pattern) {
		return pattern.startsWith(this.endpoints.get().getPath(RateLimitControlsEndpoint.ID) + "/");
	}

	/** Returns the response as JSON. */
	byte[] response() {
		return RESPONSE.getBytes(StandardCharsets.UTF_8);
	}

}
