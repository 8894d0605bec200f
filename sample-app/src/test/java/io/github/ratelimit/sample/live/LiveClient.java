package io.github.ratelimit.sample.live;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.UUID;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A client of the live page's endpoints, with an address of its own.
 */
final class LiveClient {

	private static final String OPERATOR = "Basic "
			+ Base64.getEncoder().encodeToString("ada:secret".getBytes(StandardCharsets.UTF_8));

	private final HttpClient client = HttpClient.newHttpClient();

	private final String origin;

	private final String address;

	LiveClient(ConfigurableApplicationContext sample, String address) {
		this.origin = "http://localhost:" + sample.getEnvironment().getRequiredProperty("local.server.port");
		this.address = address;
	}

	HttpResponse<String> get(String path, String... headers) {
		return send(request(path, headers).GET().build());
	}

	HttpResponse<String> post(String path, String... headers) {
		return send(request(path, headers).POST(BodyPublishers.noBody()).build());
	}

	HttpResponse<String> call(String algorithm, UUID visitor) {
		return post("/live/calls/" + algorithm + "?visitor=" + visitor);
	}

	/** Sets a control, as an operator. */
	HttpResponse<String> control(String kind, String json) {
		return send(request("/actuator/ratelimitcontrols/" + kind, "Authorization", OPERATOR, "Content-Type",
				"application/json")
			.POST(BodyPublishers.ofString(json))
			.build());
	}

	/** Opens a stream. */
	Events open(UUID visitor) {
		try {
			HttpResponse<InputStream> response = this.client
				.send(request("/live/events?visitor=" + visitor).GET().build(), BodyHandlers.ofInputStream());
			return new Events(response.statusCode(),
					new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8)));
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private HttpRequest.Builder request(String path, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.origin + path))
			.header("X-Forwarded-For", this.address);
		return (headers.length > 0) ? request.headers(headers) : request;
	}

	private HttpResponse<String> send(HttpRequest request) {
		try {
			return this.client.send(request, BodyHandlers.ofString());
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * The events of a stream.
	 */
	record Events(int status, BufferedReader lines) implements AutoCloseable {

		/** Returns the data of the next event of a name. */
		String next(String name) {
			try {
				String line = "";
				while (!line.equals("event: " + name)) {
					line = Objects.requireNonNull(this.lines.readLine(), "the stream has ended");
				}
				return Objects.requireNonNull(this.lines.readLine());
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		}

		/** Reads to the end. */
		void awaitEnd() throws IOException {
			String line = "";
			while (line != null) {
				line = this.lines.readLine();
			}
		}

		@Override
		public void close() {
			try {
				this.lines.close();
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
