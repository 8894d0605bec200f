package io.github.ratelimit.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.github.ratelimit.faults.FaultTable.Rows;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The faults that only timeouts detect on sockets of the JDK, in a JVM of their own, as
 * Lettuce chooses its transport once.
 */
final class OnNio {

	static final String WHERE = ", on NIO";

	/** The options that turn off native transports of Lettuce. */
	static final List<String> OPTIONS = List.of("-Xmx256m", "-Dio.lettuce.core.epoll=false",
			"-Dio.lettuce.core.iouring=false");

	private OnNio() {
	}

	static Jvm run(Path file) {
		return Jvm.run(List.of(), OPTIONS, OnNio.class, file);
	}

	/**
	 * Measures all faults.
	 * @param arguments the file to write rows of the table to
	 * @throws IOException if that fails
	 */
	public static void main(String[] arguments) throws IOException {
		assertThatThereAreNoOtherSockets();
		Rows rows = new Rows();
		NetworkFailsIT.endsInNothing(WHERE, rows);
		NetworkFailsIT.delaysEverything(WHERE, rows);
		RedisFailsIT.hangs(Duration.ofSeconds(3), WHERE, rows);
		Files.writeString(Path.of(arguments[0]), rows.lines());
	}

	private static void assertThatThereAreNoOtherSockets() {
		try (RedisProcess redis = RedisProcess.start(); RedisRateLimitStore store = Stores.patient(redis.port())) {
			store.connect();
			assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
				.anyMatch((name) -> name.startsWith("lettuce-nio"))
				.noneMatch((name) -> name.startsWith("lettuce-epoll") || name.startsWith("lettuce-io_uring"));
		}
	}

}
