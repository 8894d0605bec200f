package io.github.ratelimit.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.jspecify.annotations.Nullable;

/**
 * A {@code redis-server} for one test, on a free port of the loopback address. It stores
 * nothing, and ends with the JVM, as does its folder.
 */
public final class RedisProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final List<String> command;

	private final TemporaryFolder folder;

	private final int port;

	private volatile Process process;

	private @Nullable StatefulRedisConnection<String, String> connection;

	private RedisProcess(List<String> command, TemporaryFolder folder, int port, Process process) {
		this.command = command;
		this.folder = folder;
		this.port = port;
		this.process = process;
	}

	/**
	 * Starts a server and waits until it replies.
	 * @param executable the {@code redis-server}
	 * @param options further command line options
	 * @return a server that replies
	 */
	public static RedisProcess start(Path executable, List<String> options) {
		int port = FreePort.choose();
		TemporaryFolder folder = TemporaryFolder.create("test-redis");
		List<String> command = new ArrayList<>(List.of(executable.toString(), "--port", Integer.toString(port),
				"--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder.path().toString()));
		command.addAll(options);
		return launch(command, folder, port).awaitPong();
	}

	/**
	 * Starts a server and waits until it replies.
	 * @param options further command line options
	 * @return a server that replies
	 */
	public static RedisProcess start(String... options) {
		return start(TestRedis.executable(), List.of(options));
	}

	/** Starts a sentinel, which writes its state to its configuration. */
	static RedisProcess startSentinel(List<String> configuration) {
		int port = FreePort.choose();
		TemporaryFolder folder = TemporaryFolder.create("test-redis");
		List<String> lines = new ArrayList<>(List.of("port " + port, "bind 127.0.0.1", "dir " + folder.path()));
		lines.addAll(configuration);
		try {
			Path file = Files.write(folder.path().resolve("sentinel.conf"), lines);
			return launch(List.of(TestRedis.executable().toString(), file.toString(), "--sentinel"), folder, port)
				.awaitPong();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the port.
	 * @return a port of the loopback address
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Returns a connection to inspect the server, next to those of the code under test.
	 * @return commands on one connection, which ends with the server
	 */
	public synchronized RedisCommands<String, String> commands() {
		if (this.connection == null || !this.connection.isOpen()) {
			this.connection = Client.INSTANCE.connect(RedisURI.create("127.0.0.1", this.port));
		}
		return this.connection.sync();
	}

	/**
	 * Returns all keys, by a method that has the same signature in all versions of
	 * Lettuce.
	 * @return the keys
	 */
	public List<String> keys() {
		return ScanIterator.scan(commands()).stream().distinct().toList();
	}

	/** Kills the server, as in a crash. */
	public void kill() {
		this.process.destroyForcibly();
	}

	/** Restarts the server on its port after it has ended, and waits until it replies. */
	public void restart() {
		startAgain();
		awaitPong();
	}

	/**
	 * Restarts the server on its port after it has ended, without waiting for it.
	 * @param options further command line options
	 */
	public void startAgain(String... options) {
		this.process.onExit().join();
		List<String> command = new ArrayList<>(this.command);
		command.addAll(List.of(options));
		this.process = process(command, this.folder);
	}

	/**
	 * Sends a command on a connection of its own, without waiting for the reply.
	 * @param command the command as a line of text
	 */
	public void send(String command) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Makes the server hang: its connections stay open without replies. */
	public void pause() {
		signal("STOP");
	}

	/** Ends the hang of the server. */
	public void resume() {
		signal("CONT");
	}

	/** Kills the server, and deletes its files once it can write no more. */
	@Override
	public void close() {
		kill();
		this.process.onExit().join();
		this.folder.close();
	}

	private void signal(String name) {
		try {
			new ProcessBuilder("kill", "-" + name, Long.toString(this.process.pid())).start().onExit().join();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static RedisProcess launch(List<String> command, TemporaryFolder folder, int port) {
		RedisProcess launched = new RedisProcess(command, folder, port, process(command, folder));
		Runtime.getRuntime().addShutdownHook(new Thread(launched::close));
		return launched;
	}

	private static Process process(List<String> command, TemporaryFolder folder) {
		try {
			return new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(folder.path().resolve("log").toFile())
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Waits until the server replies.
	 * @return this server
	 */
	public RedisProcess awaitPong() {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!pongs()) {
			if (!this.process.isAlive() || System.nanoTime() > deadline) {
				throw new IllegalStateException("redis-server did not start on port " + this.port);
			}
			LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
		}
		return this;
	}

	private boolean pongs() {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.port), 1000);
			socket.setSoTimeout(1000);
			socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
			String reply = new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII);
			return reply.equals("+PONG") || reply.startsWith("-NOAU");
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static final class Client {

		private static final RedisClient INSTANCE = create();

		/** Returns a client whose connections end with their server. */
		private static RedisClient create() {
			RedisClient client = RedisClient.create();
			client.setOptions(ClientOptions.builder().autoReconnect(false).build());
			return client;
		}

	}

}
