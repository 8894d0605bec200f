package io.github.ratelimit.benchmarks.load;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Requests to an application, each thread's on a connection of its own, which stays open.
 * It costs less than what it measures: it writes a request at once, and reads no more of
 * an answer than its status and its length.
 */
final class HttpCalls implements Contender {

	static final String KEY_HEADER = "X-Api-Key";

	private static final String LENGTH = "content-length:";

	private static final String CHUNKED = "transfer-encoding: chunked";

	private final String name;

	private final int port;

	private final Function<Scenario, @Nullable String> paths;

	private final ThreadLocal<Connection> connections = ThreadLocal.withInitial(this::connect);

	private volatile @Nullable String path;

	/**
	 * Creates requests.
	 * @param paths returns the path for a scenario; {@code null} if there is none
	 */
	HttpCalls(String name, int port, Function<Scenario, @Nullable String> paths) {
		this.name = name;
		this.port = port;
		this.paths = paths;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public boolean canDo(Scenario scenario) {
		return this.paths.apply(scenario) != null;
	}

	@Override
	public void prepare(Scenario scenario) {
		this.path = this.paths.apply(scenario);
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
			boolean isChunked = false;
			for (String line = readLine(); !line.isEmpty(); line = readLine()) {
				isChunked |= line.equalsIgnoreCase(CHUNKED);
				if (line.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
					length = Integer.parseInt(line.substring(LENGTH.length()).strip());
				}
			}
			this.in.skipNBytes(length);
			while (isChunked) {
				int chunk = Integer.parseInt(readLine(), 16);
				this.in.skipNBytes(chunk);
				isChunked = readLine().isEmpty() && chunk > 0;
			}
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
