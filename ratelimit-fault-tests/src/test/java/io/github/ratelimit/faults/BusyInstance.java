package io.github.ratelimit.faults;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application with all defaults in a JVM of its own, whose requests can keep every
 * processor busy.
 */
final class BusyInstance {

	static final int PERMITS = 50;

	/** The longest time that a request burns. */
	private static final long LONGEST = TimeUnit.SECONDS.toNanos(60);

	private BusyInstance() {
	}

	static Jvm start(int port, int redisPort) {
		Jvm jvm = Jvm.run("256m", BusyInstance.class, port, redisPort);
		jvm.awaitReady();
		return jvm;
	}

	/**
	 * Serves until the test lets it end.
	 * @param arguments the ports of the application and of Redis
	 * @throws IOException if the JVM of the test has ended
	 */
	public static void main(String[] arguments) throws IOException {
		new SpringApplicationBuilder(Requests.class).properties("server.port=" + arguments[0],
				"spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + arguments[1],
				"ratelimit.policies.calls.limits=" + PERMITS + "/1h fixed-window",
				"ratelimit.policies.calls.key=header:X-Caller", "ratelimit.policies.calls.on-store-failure=allow",
				"ratelimit.rules[0].paths=/calls", "ratelimit.rules[0].policies=calls", "server.tomcat.threads.max=100")
			.run();
		Jvm.awaitGo();
		System.exit(0);
	}

	@RestController
	@EnableAutoConfiguration
	static class Requests {

		private volatile boolean busy;

		@GetMapping("/calls")
		String call() {
			return "ok";
		}

		@GetMapping("/burn")
		long burn() {
			this.busy = true;
			long end = System.nanoTime() + LONGEST;
			long spins = 0;
			while (this.busy && System.nanoTime() - end < 0) {
				spins++;
			}
			return spins;
		}

		@GetMapping("/rest")
		String rest() {
			this.busy = false;
			return "ok";
		}

	}

}
