package io.github.ratelimit.spring.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that say anything, to Tomcat and Netty. Sends {@code test.fuzz.http} of them
 * to each, each with a seed of its own that a failure names; {@code test.fuzz.seed} is
 * the first.
 */
@ExtendWith(OutputCaptureExtension.class)
class HostileRequestsIT {

	private static final int REQUESTS = Integer.getInteger("test.fuzz.http", 1_000);

	private static final long FIRST_SEED = Long.getLong("test.fuzz.seed", 1);

	private static final Pattern RESPONSE = Pattern.compile("\\AHTTP/1\\.[01] ([0-9]{3})");

	/**
	 * An error on a thread that serves requests: others may be those of other tests, as
	 * may the leaks that Netty reports on any of its threads.
	 */
	private static final Pattern ERROR = Pattern
		.compile(" ERROR \\d+ --- \\[ *\\S*(-exec|-epoll|parallel)-\\d+] (?!.*ResourceLeakDetector)");

	/**
	 * A 505 is no failure: it is what a request line that names no known version gets.
	 */
	private static final Pattern FAILURE = Pattern.compile("^HTTP/1\\.[01] 5(?!05)", Pattern.MULTILINE);

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void failsAtNone(WebApplicationType type, CapturedOutput output) {
		try (ConfigurableApplicationContext application = application(type)) {
			int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
			AtomicLong limited = new AtomicLong();
			long responses = LongStream.range(FIRST_SEED, FIRST_SEED + REQUESTS)
				.parallel()
				.filter(isAnswered(port, limited))
				.count();
			assertThat(responses).isGreaterThan(REQUESTS * 9L / 10);
			assertThat(limited.get()).isGreaterThan(REQUESTS / 10L);
		}
		assertThat(output.getOut().lines().filter(ERROR.asPredicate())).isEmpty();
	}

	/** Returns a predicate that sends a request and matches if it gets a response. */
	private static LongPredicate isAnswered(int port, AtomicLong limited) {
		return (seed) -> {
			HostileRequest request = HostileRequest.of(seed);
			String response = response(request, port, seed);
			assertThat(response).as("seed %d: %s", seed, request).doesNotContainPattern(FAILURE);
			if (response.contains("RateLimit-Policy: ")) {
				limited.incrementAndGet();
			}
			return RESPONSE.matcher(response).find();
		};
	}

	private static String response(HostileRequest request, int port, long seed) {
		try {
			return request.sendTo(port);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("seed " + seed + ": " + request, ex);
		}
	}

	private static ConfigurableApplicationContext application(WebApplicationType type) {
		return SharedApplications.on(type, ContractApplication.class)
			.properties("spring.config.name=hostile", "server.port=0", "logging.level.org.springframework.web=error")
			.run();
	}

}
