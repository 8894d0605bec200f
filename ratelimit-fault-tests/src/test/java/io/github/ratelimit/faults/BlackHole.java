package io.github.ratelimit.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.github.ratelimit.faults.FaultTable.Rows;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException.Kind;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A network that drops every packet for a while without a notice, in a JVM with a Linux
 * network namespace of its own.
 */
final class BlackHole {

	private static final Duration TIME = Duration.ofSeconds(30);

	private BlackHole() {
	}

	/**
	 * Runs this class with options of the JVM; it writes a row of the table to a file.
	 */
	static Jvm run(List<String> options, String where, Path file) {
		return Jvm.run(List.of("unshare", "--map-root-user", "--net"), options, BlackHole.class, where, file);
	}

	/**
	 * Measures the recovery.
	 * @param arguments the transport and the file
	 * @throws IOException if the file or the network fails
	 */
	public static void main(String[] arguments) throws IOException {
		network("up");
		Rows rows = new Rows();
		try (RedisProcess redis = RedisProcess.start();
				RedisRateLimitStore store = Stores.at(redis.port());
				Load load = Load.on(store, 16)) {
			network("down");
			Timing.sleep(TIME);
			long passing = System.nanoTime();
			network("up");
			Duration recovery = load.recoveryAfter(passing);
			assertThat(recovery).isLessThanOrEqualTo(Duration.ofSeconds(5));
			Timing.sleep(Duration.ofSeconds(2));
			load.end();
			long late = Stores.charged(redis.port()) - load.all().decided();
			assertThat(late).isBetween(0L, 20L);
			rows.add("07 Network drops everything for " + TIME.toSeconds() + " s" + arguments[0],
					"deciding again within 5 s; at most 20 late charges", "after " + recovery.toMillis() / 1e3 + " s; "
							+ late + " late charges of " + load.all().failed(Kind.TIMEOUT).size() + " timeouts");
		}
		Files.writeString(Path.of(arguments[1]), rows.lines());
	}

	private static void network(String state) throws IOException {
		Process ip = new ProcessBuilder("ip", "link", "set", "lo", state).inheritIO().start();
		assertThat(ip.onExit().join().exitValue()).isZero();
	}

}
