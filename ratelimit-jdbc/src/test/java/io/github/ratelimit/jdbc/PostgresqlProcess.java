package io.github.ratelimit.jdbc;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
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

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ScriptUtils;
import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL for tests, on a free port of the loopback address: the {@code postgres} in
 * the folder of the system property {@code test.postgresql.bin}, else on the path, else
 * where Debian's package puts it. It ends with the JVM, as does its folder. As it refuses
 * to run as root, it then runs as another user.
 */
public final class PostgresqlProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/** The user of all databases, without a password. */
	public static final String USER = "ratelimit";

	private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));

	private static final String BIN = System.getProperty("test.postgresql.bin", "");

	private final Path folder;

	private final int port;

	private final List<String> command;

	private volatile Process process;

	private PostgresqlProcess(Path folder, int port, List<String> command, Process process) {
		this.folder = folder;
		this.port = port;
		this.command = command;
		this.process = process;
	}

	/**
	 * Returns the server of this JVM, with the tables of the store.
	 * @return a server whose content tests must not rely on
	 */
	public static PostgresqlProcess shared() {
		return Holder.SHARED;
	}

	/**
	 * Starts a server with the tables of the store.
	 * @return the server, which the caller closes
	 */
	public static PostgresqlProcess start() {
		try {
			Path folder = Files.createTempDirectory("postgresql").toAbsolutePath();
			giveAway(folder);
			Path data = folder.resolve("data");
			await(builder(program("initdb"), "-D", data.toString(), "-U", USER, "-A", "trust", "--no-sync", "-E",
					"UTF8", "--locale=C"), folder);
			int port = freePort();
			// No socket file, whose path must be short
			List<String> command = builder(program("postgres"), "-D", data.toString(), "-h", "127.0.0.1", "-p",
					Integer.toString(port), "-k", "", "-F")
				.command();
			PostgresqlProcess server = new PostgresqlProcess(folder, port, command, launch(command, folder));
			Runtime.getRuntime().addShutdownHook(new Thread(server::close));
			return server.awaitConnection().withTables();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Gives a folder to the user of {@link #builder}. */
	static void giveAway(Path folder) throws IOException {
		if (IS_ROOT) {
			await(new ProcessBuilder("chown", "nobody", folder.toString()), folder);
		}
	}

	/**
	 * Builds a command that runs as another user in place of root, which may pass the
	 * folders of root.
	 */
	static ProcessBuilder builder(String... command) {
		List<String> words = new ArrayList<>();
		if (IS_ROOT) {
			words.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups",
					"--inh-caps=+dac_override", "--ambient-caps=+dac_override"));
		}
		words.addAll(List.of(command));
		return new ProcessBuilder(words);
	}

	private static void await(ProcessBuilder builder, Path folder) throws IOException {
		Process process = builder.redirectErrorStream(true).directory(folder.toFile()).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.onExit().join().exitValue() != 0) {
			throw new IllegalStateException(builder.command() + " failed: " + output);
		}
	}

	private static Process launch(List<String> command, Path folder) throws IOException {
		return new ProcessBuilder(command).directory(folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
			.start();
	}

	private static String program(String name) {
		return Stream.concat(Stream.of(BIN).filter((bin) -> !bin.isEmpty()), folders())
			.map((path) -> Path.of(path, name))
			.filter(Files::isExecutable)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException(
					"No " + name + " on the path, nor in the folder of the system property 'test.postgresql.bin'"))
			.toString();
	}

	private static Stream<String> folders() {
		File[] versions = new File("/usr/lib/postgresql").listFiles();
		return Stream.concat(Stream.of(System.getenv("PATH").split(File.pathSeparator)),
				Stream.of((versions != null) ? versions : new File[0]).map((version) -> version + "/bin"));
	}

	static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private PostgresqlProcess awaitConnection() {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!accepts()) {
			if (!this.process.isAlive() || System.nanoTime() > deadline) {
				throw new IllegalStateException("postgres did not start; see " + this.folder.resolve("log"));
			}
			LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
		}
		return this;
	}

	private boolean accepts() {
		try (Connection connection = connect()) {
			return connection.isValid(1);
		}
		catch (SQLException ex) {
			return false;
		}
	}

	private PostgresqlProcess withTables() {
		try (Connection connection = connect()) {
			ScriptUtils.executeSqlScript(connection,
					new ClassPathResource("schema-postgresql.sql", PostgresqlProcess.class));
			return this;
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Returns a connection to inspect the server, next to those of the code under test.
	 * @return a connection that the caller closes
	 * @throws SQLException if the server does not reply
	 */
	public Connection connect() throws SQLException {
		return DriverManager.getConnection(url(), USER, null);
	}

	/**
	 * Returns the URL of a database that has the tables.
	 * @return a JDBC URL
	 */
	public String url() {
		return url("postgres");
	}

	/** Returns the port on the loopback address. */
	int port() {
		return this.port;
	}

	private String url(String database) {
		return "jdbc:postgresql://127.0.0.1:" + this.port + "/" + database;
	}

	/**
	 * Returns the process that has started all others of the server.
	 * @return the process
	 */
	public ProcessHandle handle() {
		return this.process.toHandle();
	}

	/**
	 * Creates a database without tables.
	 * @return its URL
	 */
	public String createDatabase() {
		String name = "d" + UUID.randomUUID().toString().replace("-", "");
		try (Connection connection = connect()) {
			connection.createStatement().execute("create database " + name);
			return url(name);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Creates a store, which the caller closes. */
	JdbcRateLimitStore store(String prefix, JdbcStoreOptions options) {
		return JdbcRateLimitStore.on(url(), USER, null, prefix, options);
	}

	/**
	 * Makes the server and all its sessions hang: connections stay open without replies.
	 */
	public void pause() {
		signal("STOP");
	}

	/** Ends the hang. */
	public void resume() {
		signal("CONT");
	}

	/** Kills the server and all its sessions, as in a crash. */
	public void kill() {
		List<ProcessHandle> sessions = this.process.children().toList();
		signal("KILL");
		this.process.onExit().join();
		sessions.forEach((session) -> session.onExit().join());
	}

	private void signal(String name) {
		List<ProcessHandle> all = Stream.concat(this.process.children(), Stream.of(this.process.toHandle())).toList();
		List<String> kill = new ArrayList<>(List.of("kill", "-" + name));
		all.forEach((each) -> kill.add(Long.toString(each.pid())));
		try {
			new ProcessBuilder(kill).start().onExit().join();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Ends the server and all its sessions at once. */
	void stop() {
		signal("QUIT");
		this.process.onExit().join();
	}

	/** Starts the server again on its port and data, and waits until it replies. */
	public void restart() {
		try {
			this.process = launch(this.command, this.folder);
			awaitConnection();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		List<ProcessHandle> sessions = this.process.children().toList();
		sessions.forEach(ProcessHandle::destroyForcibly);
		this.process.destroyForcibly().onExit().join();
		FileSystemUtils.deleteRecursively(this.folder.toFile());
	}

	private static final class Holder {

		private static final PostgresqlProcess SHARED = start();

	}

}
