package io.github.ratelimit.spring.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

import org.springframework.http.HttpHeaders;

/**
 * A client that sends paths as they are.
 */
final class RealClient {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final int port;

	RealClient(int port) {
		this.port = port;
	}

	Response send(String method, String path, Map<String, String> headers, String body) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path))
			.timeout(TIMEOUT)
			.method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
		headers.forEach(request::setHeader);
		try {
			HttpResponse<String> response = this.client.send(request.build(), BodyHandlers.ofString());
			HttpHeaders received = new HttpHeaders();
			response.headers().map().forEach(received::addAll);
			return new Response(response.statusCode(), response.body(), received);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
