package io.github.ratelimit.spring.actuate;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

import org.springframework.context.ConfigurableApplicationContext;

/** A client of HTTP/1.0, which knows neither chunks nor connections that are kept. */
final class HttpOneClient {

	private HttpOneClient() {
	}

	/**
	 * Sends a request on a connection of its own, without chunks: Reactor Netty now and
	 * then leaves a response on a connection that is kept alive unsent.
	 */
	static Response send(ConfigurableApplicationContext application, String request, String body) {
		return send(application, "local.server.port", request, body);
	}

	/** Sends a request to the server whose port a property has. */
	static Response send(ConfigurableApplicationContext application, String server, String request, String body) {
		int port = application.getEnvironment().getRequiredProperty(server, Integer.class);
		byte[] content = body.getBytes(StandardCharsets.UTF_8);
		String head = request + " HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
				+ content.length + "\r\n\r\n";
		ByteArrayOutputStream response = new ByteArrayOutputStream();
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.setSoTimeout(10_000);
			socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
			socket.getOutputStream().write(content);
			socket.getInputStream().transferTo(response);
		}
		catch (SocketException ex) {
			// the server did not read all: what it sent before has arrived
			return Response.of(response.toString(StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(request, ex);
		}
		return Response.of(response.toString(StandardCharsets.UTF_8));
	}

	record Response(int statusCode, String body) {

		static Response of(String text) {
			return new Response(Integer.parseInt(text.split(" ", 3)[1]), text.substring(text.indexOf("\r\n\r\n") + 4));
		}

	}

}
