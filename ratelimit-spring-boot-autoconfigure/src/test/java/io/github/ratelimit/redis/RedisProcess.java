package io.github.ratelimit.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A {@code redis-server} of the test's own on a free port of the loopback address, which
 * keeps nothing and ends with the JVM.
 */
public final class RedisProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final Process process;

	private final int port;

	private RedisProcess(Process process, int port) {
		this.process = process;
		this.port = port;
	}

	/**
	 * Starts a server and waits until it answers.
	 * @param executable the {@code redis-server}
	 * @param options further command line options
	 * @return a server that answers
	 */
	public static RedisProcess start(Path executable, List<String> options) {
		try {
			int port = freePort();
			Path folder = Files.createTempDirectory("test-redis");
			List<String> command = new ArrayList<>(List.of(executable.toString(), "--port", Integer.toString(port),
					"--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder.toString()));
			command.addAll(options);
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(folder.resolve("log").toFile())
				.start();
			Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
			RedisProcess redis = new RedisProcess(process, port);
			redis.awaitPong();
			return redis;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Where it listens.
	 * @return a port of the loopback address
	 */
	public int port() {
		return this.port;
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	private void awaitPong() {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!pongs()) {
			if (!this.process.isAlive() || System.nanoTime() > deadline) {
				throw new IllegalStateException("redis-server did not start on port " + this.port);
			}
			LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
		}
	}

	private boolean pongs() {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.port), 1000);
			socket.setSoTimeout(1000);
			socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
			String answer = new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII);
			return answer.equals("+PONG") || answer.startsWith("-NOAU");
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

}
