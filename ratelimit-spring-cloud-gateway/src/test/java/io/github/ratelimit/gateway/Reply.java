package io.github.ratelimit.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A response of a gateway as the client sees it.
 *
 * @param status the status code
 * @param headers the headers by their names in lower case
 * @param body the body
 */
public record Reply(int status, Map<String, List<String>> headers, String body) {

	private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	/** Returns the response to a GET request. */
	public static Reply get(int port, String path, Map<String, String> headers) {
		HttpRequest.Builder request = request(port, path);
		headers.forEach(request::setHeader);
		return send(request);
	}

	/** Returns the response to a form. */
	static Reply post(int port, String path, String form) {
		return send(request(port, path).header("Content-Type", "application/x-www-form-urlencoded")
			.POST(BodyPublishers.ofString(form)));
	}

	private static HttpRequest.Builder request(int port, String path) {
		return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).timeout(Duration.ofSeconds(30));
	}

	private static Reply send(HttpRequest.Builder request) {
		try {
			HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString());
			return new Reply(response.statusCode(), response.headers().map(), response.body());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Returns the only value of a header, or null if it is absent. */
	public @Nullable String header(String name) {
		List<String> values = this.headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
		if (values.size() > 1) {
			throw new IllegalStateException(name + " has the values " + values);
		}
		return values.isEmpty() ? null : values.get(0);
	}

}
