package io.github.ratelimit.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.faults.FaultTable.Rows;
import io.github.ratelimit.redis.RedisProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that are abandoned, get a late response or fail, each charged once in Redis.
 */
@Tag("long")
@ExtendWith(FaultTable.class)
class RequestsIT {

	private static final int EACH = 200;

	private static final long PERMITS = 1_000_000;

	@Test
	void chargesEveryRequestOnce(Rows table) {
		try (RedisProcess redis = RedisProcess.start(); ConfigurableApplicationContext context = start(redis)) {
			int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
			RateLimiter limiter = context.getBean(RateLimiter.class);
			for (int request = 0; request < EACH; request++) {
				assertThat(send(port, "/calls/later")).contains(" 200 ");
				assertThat(send(port, "/calls/fails")).contains(" 500 ");
				abandon(port);
			}
			Timing.until(Duration.ofSeconds(10), () -> charged(limiter) >= 3 * EACH);
			assertThat(charged(limiter)).isEqualTo(3 * EACH);
			table.add("30 " + 3 * EACH + " requests answered later, failed or abandoned", "charges equal requests",
					charged(limiter) + " charges");
		}
	}

	private static long charged(RateLimiter limiter) {
		return PERMITS - limiter.peek(List.of(Charge.of("calls", "global"))).limits().get(0).remaining();
	}

	private static String send(int port, String path) {
		try (Socket socket = request(port, path); InputStream response = socket.getInputStream()) {
			return new String(response.readAllBytes(), StandardCharsets.US_ASCII).lines().findFirst().orElse("");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Sends a request, and ends the connection by FIN before the response. */
	private static void abandon(int port) {
		try (Socket socket = request(port, "/calls/later")) {
			socket.shutdownOutput();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Socket request(int port, String path) throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
		socket.getOutputStream()
			.write(("GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
				.getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	private static ConfigurableApplicationContext start(RedisProcess redis) {
		return new SpringApplicationBuilder(Calls.class)
			.properties("server.port=0", "spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port(),
					"ratelimit.policies.calls.limits=" + PERMITS + "/100d fixed-window",
					"ratelimit.rules[0].paths=/calls/**", "ratelimit.rules[0].policies=calls",
					"ratelimit.policies.calls.key=global", "ratelimit.redis.timeout=2s",
					"logging.level.org.apache.catalina=off")
			.run();
	}

	@RestController
	@EnableAutoConfiguration
	static class Calls {

		@GetMapping("/calls/later")
		CompletableFuture<String> later() {
			return new CompletableFuture<String>().completeOnTimeout("ok", 10, TimeUnit.MILLISECONDS);
		}

		@GetMapping("/calls/fails")
		String fails() {
			throw new IllegalStateException("As the test asks");
		}

	}

}
