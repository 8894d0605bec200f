package io.github.ratelimit.spring.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client that sends a request byte by byte, as no library corrects it.
 */
final class RawClient {

	private static final int TIMEOUT_MILLIS = 10_000;

	private static final Pattern STATUS = Pattern.compile("\\AHTTP/1\\.[01] ([0-9]{3})");

	private RawClient() {
	}

	/** Returns the status of the response. */
	static int status(int port, String request) {
		String response = send(port, request);
		Matcher status = STATUS.matcher(response);
		if (!status.find()) {
			throw new IllegalStateException("no response to " + request + ": " + response);
		}
		return Integer.parseInt(status.group(1));
	}

	/** Returns the response as text, as far as it came before a reset. */
	static String send(int port, String request) {
		ByteArrayOutputStream response = new ByteArrayOutputStream();
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.setSoTimeout(TIMEOUT_MILLIS);
			socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
			socket.getInputStream().transferTo(response);
		}
		catch (SocketException ex) {
			return response.toString(StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(request, ex);
		}
		return response.toString(StandardCharsets.ISO_8859_1);
	}

}
