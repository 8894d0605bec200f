package io.github.ratelimit.jdbc;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import org.springframework.util.FileSystemUtils;

/**
 * A PgBouncer for tests, in transaction mode with a few connections to a server: the
 * executable in the system property {@code test.pgbouncer.executable}, else the
 * {@code pgbouncer} on the path, else that of Debian's package.
 */
final class PgBouncerProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final String EXECUTABLE = System.getProperty("test.pgbouncer.executable", "");

	private final Path folder;

	private final int port;

	private Process process;

	private PgBouncerProcess(Path folder, int port) {
		this.folder = folder;
		this.port = port;
		this.process = launch();
	}

	static PgBouncerProcess start(PostgresqlProcess server, int connections) {
		try {
			Path folder = Files.createTempDirectory("pgbouncer").toAbsolutePath();
			int port = PostgresqlProcess.freePort();
			Files.writeString(folder.resolve("pgbouncer.ini"), settings(server, port, connections));
			PostgresqlProcess.giveAway(folder);
			PgBouncerProcess pooler = new PgBouncerProcess(folder, port);
			Runtime.getRuntime().addShutdownHook(new Thread(pooler::close));
			pooler.awaitConnection();
			return pooler;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String settings(PostgresqlProcess server, int port, int connections) {
		return """
				[databases]
				postgres = host=127.0.0.1 port=%d user=%s
				[pgbouncer]
				listen_addr = 127.0.0.1
				listen_port = %d
				unix_socket_dir =
				auth_type = any
				pool_mode = transaction
				default_pool_size = %d
				ignore_startup_parameters = extra_float_digits
				""".formatted(server.port(), PostgresqlProcess.USER, port, connections);
	}

	private Process launch() {
		try {
			return PostgresqlProcess.builder(executable(), this.folder.resolve("pgbouncer.ini").toString())
				.directory(this.folder.toFile())
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.appendTo(this.folder.resolve("log").toFile()))
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String executable() {
		return Stream
			.concat(Stream.of(EXECUTABLE).filter((executable) -> !executable.isEmpty()),
					Stream.concat(Stream.of(System.getenv("PATH").split(File.pathSeparator)), Stream.of("/usr/sbin"))
						.map((path) -> path + "/pgbouncer"))
			.filter((executable) -> Files.isExecutable(Path.of(executable)))
			.findFirst()
			.orElseThrow(() -> new IllegalStateException(
					"No pgbouncer on the path, nor in the system property 'test.pgbouncer.executable'"));
	}

	private void awaitConnection() {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!accepts()) {
			if (!this.process.isAlive() || System.nanoTime() > deadline) {
				throw new IllegalStateException("pgbouncer did not start; see " + this.folder.resolve("log"));
			}
			LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
		}
	}

	private boolean accepts() {
		try (Connection connection = DriverManager.getConnection(url(), PostgresqlProcess.USER, null)) {
			return connection.isValid(1);
		}
		catch (SQLException ex) {
			return false;
		}
	}

	/** Returns the URL of the server's database, for all versions of PgBouncer. */
	String url() {
		return "jdbc:postgresql://127.0.0.1:" + this.port + "/postgres?prepareThreshold=0";
	}

	/** Ends all connections at once. */
	void stop() {
		this.process.destroyForcibly().onExit().join();
	}

	/** Starts again on the same port, and waits until a server replies. */
	void restart() {
		this.process = launch();
		awaitConnection();
	}

	@Override
	public void close() {
		stop();
		FileSystemUtils.deleteRecursively(this.folder.toFile());
	}

}
