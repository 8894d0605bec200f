package io.github.ratelimit.redis;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import redis.embedded.RedisExecProvider;

/**
 * A Redis for tests, one for a JVM: the executable in the system property
 * {@code test.redis.executable}, else a container if there is a Docker engine, else a
 * {@code redis-server} on the path, else the one in a test dependency. Without any, tests
 * fail.
 */
public final class TestRedis {

	private static final Logger LOGGER = LoggerFactory.getLogger(TestRedis.class);

	/** The image of the container. */
	private static final String IMAGE = System.getProperty("test.redis.image", "redis:7");

	/** The executable to prefer; empty without a preference. */
	private static final String EXECUTABLE = System.getProperty("test.redis.executable", "");

	private final String host;

	private final int port;

	private TestRedis(String host, int port) {
		this.host = host;
		this.port = port;
	}

	/**
	 * Returns the Redis of this JVM, started by the first invocation.
	 * @return a Redis whose content tests must not rely on
	 */
	public static TestRedis shared() {
		return Holder.SHARED;
	}

	/**
	 * Returns the executable for a test's own server.
	 * @return the preferred one, else the {@code redis-server} on the path, else the one
	 * in a test dependency
	 */
	public static Path executable() {
		if (!EXECUTABLE.isEmpty()) {
			return Path.of(EXECUTABLE);
		}
		Path onPath = onPath();
		return (onPath != null) ? onPath : bundled();
	}

	/**
	 * Returns the host.
	 * @return an address or name
	 */
	public String host() {
		return this.host;
	}

	/**
	 * Returns the port.
	 * @return a port
	 */
	public int port() {
		return this.port;
	}

	private static TestRedis start() {
		if (EXECUTABLE.isEmpty() && DockerClientFactory.instance().isDockerAvailable()) {
			return container();
		}
		return process(executable());
	}

	@SuppressWarnings("resource")
	private static TestRedis container() {
		LOGGER.info("Redis for tests: container {}", IMAGE);
		GenericContainer<?> container = new GenericContainer<>(IMAGE).withExposedPorts(6379);
		container.start();
		Runtime.getRuntime().addShutdownHook(new Thread(container::stop));
		return new TestRedis(container.getHost(), container.getMappedPort(6379));
	}

	private static TestRedis process(Path executable) {
		LOGGER.info("Redis for tests: process {}", executable);
		return new TestRedis("127.0.0.1", RedisProcess.start(executable, List.of()).port());
	}

	private static @Nullable Path onPath() {
		return Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.map((folder) -> Path.of(folder, "redis-server"))
			.filter(Files::isExecutable)
			.findFirst()
			.orElse(null);
	}

	private static Path bundled() {
		try {
			return RedisExecProvider.defaultProvider().get().toPath();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No Redis for tests: no Docker engine answers, no redis-server is on the "
					+ "path, and the bundled one cannot be unpacked", ex);
		}
	}

	private static final class Holder {

		private static final TestRedis SHARED = start();

	}

}
