package io.github.ratelimit.spring.login;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import org.springframework.util.FileSystemUtils;

/**
 * A MariaDB for one test class, on a free port of the loopback address: the executable in
 * the system property {@code test.mariadb.executable}, else a {@code mariadbd} on the
 * path. Its data are under {@code target}, and end with it.
 */
final class MariaDbProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final Path folder;

	private final int port;

	private final Process process;

	private MariaDbProcess(Path folder, int port, Process process) {
		this.folder = folder;
		this.port = port;
		this.process = process;
	}

	static MariaDbProcess start() throws IOException {
		Path executable = executable();
		Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "mariadb").toAbsolutePath();
		Files.createDirectory(folder.resolve("data"));
		int port = freePort();
		Process process = process(executable, folder, List.of("--port=" + port));
		MariaDbProcess started = new MariaDbProcess(folder, port, process);
		Runtime.getRuntime().addShutdownHook(new Thread(started::close));
		started.await();
		return started;
	}

	/** The files of the server's languages are next to an unpacked executable. */
	private static Process process(Path executable, Path folder, List<String> more) throws IOException {
		List<String> command = new ArrayList<>(List.of(executable.toString(), "--no-defaults", "--user=root",
				"--datadir=" + folder.resolve("data"), "--socket=" + folder.resolve("s"), "--skip-grant-tables",
				"--bind-address=127.0.0.1", "--character-set-server=utf8mb4", "--collation-server=utf8mb4_general_ci",
				"--lc-messages-dir=" + executable.resolveSibling("../share/mysql").normalize()));
		command.addAll(more);
		return new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(folder.resolve("log").toFile())
			.start();
	}

	private static Path executable() {
		String preferred = System.getProperty("test.mariadb.executable", "");
		return preferred.isEmpty()
				? Stream.of(System.getenv("PATH").split(File.pathSeparator))
					.map((path) -> Path.of(path, "mariadbd"))
					.filter(Files::isExecutable)
					.findFirst()
					.orElseThrow(() -> new IllegalStateException(
							"No mariadbd on the path, nor in the system property 'test.mariadb.executable'"))
				: Path.of(preferred);
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private void await() {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!accepts()) {
			if (!this.process.isAlive() || System.nanoTime() > deadline) {
				throw new IllegalStateException("mariadbd did not start; see " + this.folder.resolve("log"));
			}
			LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
		}
	}

	private boolean accepts() {
		try (Connection connection = DriverManager.getConnection(url(""))) {
			return connection.isValid(1);
		}
		catch (SQLException ex) {
			return false;
		}
	}

	/** Returns the name of a new database with a collation. */
	String createDatabase(String collation) {
		String name = "test_" + UUID.randomUUID().toString().replace("-", "");
		try (Connection connection = DriverManager.getConnection(url(""))) {
			connection.createStatement().execute("CREATE DATABASE " + name + " COLLATE " + collation);
			return name;
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	String url(String database) {
		return "jdbc:mariadb://127.0.0.1:" + this.port + "/" + database + "?user=root";
	}

	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
		FileSystemUtils.deleteRecursively(this.folder.toFile());
	}

}
