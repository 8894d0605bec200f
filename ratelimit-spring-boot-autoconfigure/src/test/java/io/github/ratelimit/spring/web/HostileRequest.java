package io.github.ratelimit.spring.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/**
 * A request that no well-meaning client sends, byte by byte, on a connection of its own.
 */
final class HostileRequest {

	private static final List<String> METHODS = List.of("GET", "GET", "GET", "HEAD", "POST", "PUT", "OPTIONS", "DELETE",
			"PROPFIND", "get");

	private static final List<String> PATHS = List.of("/open/", "/get", "/when", "/first/", "/dear", "/odd/", "/method",
			"/both", "/things/", "/mono", "/stage", "/body", "/texts", "/nested", "/later", "/none/", "//", "/");

	private static final List<String> HEADERS = List.of("X-Forwarded-For", "X-Forwarded-For", "Forwarded", "Forwarded",
			"X-Client", "X-Api-Key", "X-Odd", "X-Beta", "X-All", "X-Real-IP", "Authorization", "Accept", "Origin",
			"Access-Control-Request-Method", "Cookie", "X-HTTP-Method-Override");

	private static final int LONGEST = 6_000;

	private static final int TIMEOUT_MILLIS = 10_000;

	private final byte[] bytes;

	private final InetAddress peer;

	private HostileRequest(byte[] bytes, InetAddress peer) {
		this.bytes = bytes;
		this.peer = peer;
	}

	/** A request that a seed decides on, from an address that it decides on too. */
	static HostileRequest of(long seed) {
		Random random = new Random(seed);
		Charset charset = random.nextBoolean() ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
		StringBuilder request = new StringBuilder();
		request.append(one(random, METHODS)).append(' ').append(one(random, PATHS));
		if (random.nextInt(3) == 0) {
			request.append(path(random));
		}
		request.append(" HTTP/1.1\r\nConnection: close\r\nHost: localhost\r\n");
		int headers = random.nextInt(8);
		for (int i = 0; i < headers; i++) {
			String name = (random.nextInt(20) == 0) ? Hostile.text(random, LONGEST) : one(random, HEADERS);
			request.append(name).append(": ").append(Hostile.text(random, LONGEST)).append("\r\n");
		}
		return new HostileRequest(request.append("\r\n").toString().getBytes(charset), peer(random));
	}

	/**
	 * Returns the response of a server as text, as far as it is read before the
	 * connection is reset, which servers do where they have not read all.
	 */
	String sendTo(int port) throws IOException {
		ByteArrayOutputStream response = new ByteArrayOutputStream();
		try (Socket socket = new Socket()) {
			socket.setSoTimeout(TIMEOUT_MILLIS);
			socket.bind(new InetSocketAddress(this.peer, 0));
			socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
			exchange(socket, response);
		}
		return response.toString(StandardCharsets.ISO_8859_1);
	}

	private void exchange(Socket socket, OutputStream response) throws IOException {
		try {
			socket.getOutputStream().write(this.bytes);
			socket.getInputStream().transferTo(response);
		}
		catch (SocketException ex) {
			response.flush();
		}
	}

	/** Without a broken escape in a path parameter, at which Spring MVC itself fails. */
	private static String path(Random random) {
		String text = Hostile.text(random, LONGEST);
		return text.contains(";") ? text.replace("%", "") : text;
	}

	private static String one(Random random, List<String> choices) {
		return choices.get(random.nextInt(choices.size()));
	}

	private static InetAddress peer(Random random) {
		try {
			return InetAddress
				.getByAddress(new byte[] { 127, 0, (byte) random.nextInt(200), (byte) random.nextInt(1, 200) });
		}
		catch (UnknownHostException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public String toString() {
		return new String(this.bytes, StandardCharsets.ISO_8859_1);
	}

}
