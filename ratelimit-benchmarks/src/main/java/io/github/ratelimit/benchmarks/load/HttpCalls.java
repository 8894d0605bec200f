package io.github.ratelimit.benchmarks.load;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Requests to an application, each thread's on a connection of its own, which stays open.
 * It costs less than what it measures: it writes a request at once, and reads no more of
 * an answer than its status and its length.
 */
final class HttpCalls implements Contender {

	static final String KEY_HEADER = "X-Api-Key";

	private static final String LENGTH = "content-length:";

	private final String name;

	private final String path;

	private final int port;

	private final ThreadLocal<Connection> connections = ThreadLocal.withInitial(this::connect);

	HttpCalls(String name, String path, int port) {
		this.name = name;
		this.path = path;
		this.port = port;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public void prepare(Scenario scenario) {
		// the application knows but one
	}

	@Override
	public boolean acquire(String key) throws IOException {
		Connection connection = this.connections.get();
		connection.socket()
			.getOutputStream()
			.write(("GET " + this.path + " HTTP/1.1\r\nHost: localhost\r\n" + KEY_HEADER + ": " + key + "\r\n\r\n")
				.getBytes(StandardCharsets.ISO_8859_1));
		return connection.readStatus() == 200;
	}

	@Override
	public boolean isAsync() {
		return false;
	}

	/** Connections end with the application. */
	@Override
	public void close() {
	}

	private Connection connect() {
		try {
			Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port);
			socket.setTcpNoDelay(true);
			return new Connection(socket, new BufferedInputStream(socket.getInputStream()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private record Connection(Socket socket, InputStream in) {

		int readStatus() throws IOException {
			int status = Integer.parseInt(readLine().split(" ", 3)[1]);
			int length = 0;
			for (String line = readLine(); !line.isEmpty(); line = readLine()) {
				if (line.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
					length = Integer.parseInt(line.substring(LENGTH.length()).strip());
				}
			}
			this.in.skipNBytes(length);
			return status;
		}

		private String readLine() throws IOException {
			StringBuilder line = new StringBuilder();
			for (int next = this.in.read(); next != '\n'; next = this.in.read()) {
				if (next < 0) {
					throw new IOException("The connection ended");
				}
				if (next != '\r') {
					line.append((char) next);
				}
			}
			return line.toString();
		}

	}

}
