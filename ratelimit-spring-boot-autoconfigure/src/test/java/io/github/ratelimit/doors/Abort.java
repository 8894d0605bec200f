package io.github.ratelimit.doors;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** A way in which a client aborts a request that it has sent. */
enum Abort {

	/** Closes the connection. */
	FIN {

		@Override
		void request(int port, String path, long micros) throws IOException {
			abort(port, path, micros, false);
		}

	},

	/** Resets the connection. */
	RST {

		@Override
		void request(int port, String path, long micros) throws IOException {
			abort(port, path, micros, true);
		}

	},

	/** Resets the stream of a connection that goes on. */
	RST_STREAM {

		@Override
		void request(int port, String path, long micros) {
			CompletableFuture<?> response = HTTP_2.sendAsync(
					HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build(),
					BodyHandlers.discarding());
			LockSupport.parkNanos(micros * 1_000);
			response.cancel(true);
		}

	};

	private static final HttpClient HTTP_2 = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();

	/** Sends a request, and aborts it some time later. */
	abstract void request(int port, String path, long micros) throws IOException;

	private static void abort(int port, String path, long micros, boolean reset) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			if (reset) {
				socket.setSoLinger(true, 0);
			}
			socket.getOutputStream()
				.write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
			LockSupport.parkNanos(micros * 1_000);
		}
	}

}
