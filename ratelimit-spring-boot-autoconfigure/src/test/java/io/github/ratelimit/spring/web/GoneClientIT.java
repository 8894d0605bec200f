package io.github.ratelimit.spring.web;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.RateLimited;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Requests whose connection ends before they are served, over HTTP/2 and HTTP/1.1. Tomcat
 * then no longer knows the address of the client.
 */
class GoneClientIT {

	private static final int REQUESTS = 60;

	@RegisterExtension
	static final SharedApplications APPLICATIONS = new SharedApplications();

	@BeforeEach
	void reset() {
		Controller.CALLS.set(0);
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, blocked", "SERVLET, blocked-before", "SERVLET, skipping", "SERVLET, shared",
			"SERVLET, blocked-late", "REACTIVE, blocked", "REACTIVE, skipping" })
	void passNoBlockAndNoLimitOverHttp2(WebApplicationType server, String path) throws IOException {
		int port = port(server);
		for (int connection = 0; connection < 5; connection++) {
			http2(port, "/" + path);
			Controller.ENDED.countDown();
		}
		assertThat(RawClient.status(port, "GET /end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")).isEqualTo(200);
		await().during(Duration.ofMillis(800)).until(() -> true);
		assertThat(Controller.CALLS.get()).isLessThanOrEqualTo(path.startsWith("blocked") ? 0 : 3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "SERVLET", "REACTIVE" })
	void passNoBlockOverHttp1(WebApplicationType server) throws IOException {
		int port = port(server);
		for (int connection = 0; connection < REQUESTS; connection++) {
			try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
				socket.setSoLinger(true, 0);
				socket.getOutputStream()
					.write("GET /blocked HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			}
		}
		await().during(Duration.ofMillis(800)).until(() -> true);
		assertThat(Controller.CALLS).hasValue(0);
	}

	/** Sends requests and then a frame that ends the connection with an error. */
	private static void http2(int port, String path) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			DataOutputStream frames = new DataOutputStream(bytes);
			frames.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
			frame(frames, 4, 0, 0, new byte[0]);
			for (int request = 0; request < REQUESTS; request++) {
				frame(frames, 1, 5, 2 * request + 1, headers(path));
			}
			frame(frames, 0, 0, 0, new byte[1]);
			socket.setSoTimeout(10_000);
			socket.getOutputStream().write(bytes.toByteArray());
			socket.getInputStream().readAllBytes();
		}
		catch (SocketException ex) {
			assertThat(ex).hasMessageContaining("reset");
		}
	}

	private static void frame(DataOutputStream frames, int type, int flags, int stream, byte[] payload)
			throws IOException {
		frames.write(new byte[] { 0, 0, (byte) payload.length, (byte) type, (byte) flags });
		frames.writeInt(stream);
		frames.write(payload);
	}

	/** Returns a block of GET, http, the authority "a" and a path, by HPACK. */
	private static byte[] headers(String path) throws IOException {
		ByteArrayOutputStream block = new ByteArrayOutputStream();
		block.write(new byte[] { (byte) 0x82, (byte) 0x86, 0x01, 1, 'a', 0x04, (byte) path.length() });
		block.write(path.getBytes(StandardCharsets.US_ASCII));
		return block.toByteArray();
	}

	private static int port(WebApplicationType server) {
		return APPLICATIONS.get(server, () -> start(server))
			.getEnvironment()
			.getRequiredProperty("local.server.port", Integer.class);
	}

	private static ConfigurableApplicationContext start(WebApplicationType server) {
		String policy = "ratelimit.policies.";
		return SharedApplications.on(server, Application.class)
			.properties("server.port=0", "server.http2.enabled=true", "ratelimit.store=memory",
					policy + "blocked.limits=1000/1h", policy + "blocked.key=client-ip",
					policy + "blocked.blocked=ip:127.0.0.0/8", policy + "skipping.limits=3/1h fixed-window",
					policy + "skipping.key=client-ip", policy + "skipping.on-missing-key=skip",
					policy + "shared.limits=3/1h fixed-window", policy + "shared.key=client-ip")
			.properties("ratelimit.rules[0].paths=/blocked", "ratelimit.rules[0].policies=blocked",
					"ratelimit.rules[1].paths=/blocked-before", "ratelimit.rules[1].policies=blocked",
					"ratelimit.rules[1].phase=before-security", "ratelimit.rules[2].paths=/skipping",
					"ratelimit.rules[2].policies=skipping", "ratelimit.rules[3].paths=/shared",
					"ratelimit.rules[3].policies=shared")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Controller.class, Late.class })
	static class Application {

	}

	@RestController
	static class Controller {

		static final AtomicInteger CALLS = new AtomicInteger();

		/** Opens when a connection has ended. */
		static final CountDownLatch ENDED = new CountDownLatch(1);

		private final Late late;

		Controller(Late late) {
			this.late = late;
		}

		@GetMapping({ "/blocked", "/blocked-before", "/skipping", "/shared" })
		String served() {
			CALLS.incrementAndGet();
			return "served";
		}

		@GetMapping("/blocked-late")
		String late() throws InterruptedException {
			ENDED.await(20, TimeUnit.SECONDS);
			return this.late.served();
		}

		@GetMapping("/end")
		String end() {
			return "end";
		}

	}

	/** Is limited when the connection has ended. */
	static class Late {

		@RateLimited("blocked")
		String served() {
			Controller.CALLS.incrementAndGet();
			return "served";
		}

	}

}
