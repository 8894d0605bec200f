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
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.jspecify.annotations.Nullable;

/**
 * A {@code redis-server} of the test's own on a free port of the loopback address, which
 * keeps nothing and ends with the JVM.
 */
public final class RedisProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	/** From a port to that of the node's cluster bus. */
	private static final int TO_BUS = 10_000;

	private final Process process;

	private final int port;

	private @Nullable StatefulRedisConnection<String, String> connection;

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
		int port = freePort();
		Path folder = newFolder();
		List<String> command = new ArrayList<>(List.of(executable.toString(), "--port", Integer.toString(port),
				"--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder.toString()));
		command.addAll(options);
		return launch(command, folder, port);
	}

	/**
	 * Starts a server and waits until it answers.
	 * @param options further command line options
	 * @return a server that answers
	 */
	public static RedisProcess start(String... options) {
		return start(TestRedis.executable(), List.of(options));
	}

	/** Starts a sentinel, which writes what it learns to its configuration. */
	static RedisProcess startSentinel(List<String> configuration) {
		int port = freePort();
		Path folder = newFolder();
		List<String> lines = new ArrayList<>(List.of("port " + port, "bind 127.0.0.1", "dir " + folder));
		lines.addAll(configuration);
		try {
			Path file = Files.write(folder.resolve("sentinel.conf"), lines);
			return launch(List.of(TestRedis.executable().toString(), file.toString(), "--sentinel"), folder, port);
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

	/**
	 * A connection to look at the server with, beside those of the code under test.
	 * @return commands on one connection, which ends with the server
	 */
	public synchronized RedisCommands<String, String> commands() {
		if (this.connection == null || !this.connection.isOpen()) {
			this.connection = Client.INSTANCE.connect(RedisURI.create("127.0.0.1", this.port));
		}
		return this.connection.sync();
	}

	/**
	 * Ends the server at once, as a crash would.
	 */
	public void kill() {
		this.process.destroyForcibly();
	}

	@Override
	public void close() {
		kill();
	}

	private static RedisProcess launch(List<String> command, Path folder, int port) {
		try {
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

	private static Path newFolder() {
		try {
			return Files.createTempDirectory("test-redis");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A port that is free, as is that of its cluster bus, both below those that the
	 * system gives to outgoing connections.
	 */
	private static int freePort() {
		for (int attempt = 0; attempt < 1000; attempt++) {
			int port = ThreadLocalRandom.current().nextInt(10_000, 22_000);
			if (isFree(port) && isFree(port + TO_BUS)) {
				return port;
			}
		}
		throw new IllegalStateException("No port is free");
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static final class Client {

		private static final RedisClient INSTANCE = create();

		/** A client whose connections end with their server. */
		private static RedisClient create() {
			RedisClient client = RedisClient.create();
			client.setOptions(ClientOptions.builder().autoReconnect(false).build());
			return client;
		}

	}

}
