package io.github.ratelimit.spring.web;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.redis.TlsProxy;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.jks.JksSslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreDetails;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Requests whose connection ends before they are served, over HTTP/2, with TLS too, and
 * HTTP/1.1. Tomcat then no longer knows the address of the client.
 */
@Tag("long")
class GoneClientIT {

	private static final int REQUESTS = 60;

	private static final JksSslStoreDetails STORE = JksSslStoreDetails.forLocation("classpath:" + TlsProxy.STORE)
		.withPassword(TlsProxy.PASSWORD);

	@RegisterExtension
	static final SharedApplications APPLICATIONS = new SharedApplications();

	@BeforeEach
	void reset() {
		Controller.CALLS.set(0);
		Controller.ENDED.set(new CountDownLatch(1));
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, false, blocked", "SERVLET, false, blocked-before", "SERVLET, false, skipping",
			"SERVLET, false, shared", "SERVLET, false, blocked-late", "SERVLET, true, blocked",
			"SERVLET, true, blocked-before", "SERVLET, true, skipping", "SERVLET, true, shared",
			"SERVLET, true, blocked-late", "REACTIVE, false, blocked", "REACTIVE, false, skipping",
			"REACTIVE, true, blocked", "REACTIVE, true, skipping" })
	void passNoBlockAndNoLimitOverHttp2(WebApplicationType server, boolean secure, String path) throws IOException {
		int port = port(server, secure);
		for (int connection = 0; connection < 5; connection++) {
			try (Socket socket = connect(port, secure)) {
				http2(socket, "/" + path, secure);
			}
			Controller.ENDED.get().countDown();
		}
		await().during(Duration.ofMillis(800)).until(() -> true);
		assertThat(Controller.CALLS.get()).isLessThanOrEqualTo(path.startsWith("blocked") ? 0 : 3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "SERVLET", "REACTIVE" })
	void passNoBlockOverHttp1(WebApplicationType server) throws IOException {
		int port = port(server, false);
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

	private static Socket connect(int port, boolean secure) throws IOException {
		if (!secure) {
			return new Socket(InetAddress.getLoopbackAddress(), port);
		}
		SSLSocket socket = (SSLSocket) SslBundle.of(new JksSslStoreBundle(null, STORE))
			.createSslContext()
			.getSocketFactory()
			.createSocket(InetAddress.getLoopbackAddress(), port);
		SSLParameters parameters = socket.getSSLParameters();
		parameters.setApplicationProtocols(new String[] { "h2" });
		socket.setSSLParameters(parameters);
		socket.startHandshake();
		assertThat(socket.getApplicationProtocol()).isEqualTo("h2");
		return socket;
	}

	/**
	 * Sends requests and then a frame that ends the connection with an error. How a
	 * server that is about to close it ends its TLS records does not matter.
	 */
	private static void http2(Socket socket, String path, boolean secure) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		DataOutputStream frames = new DataOutputStream(bytes);
		frames.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
		frame(frames, 4, 0, 0, new byte[0]);
		for (int request = 0; request < REQUESTS; request++) {
			frame(frames, 1, 5, 2 * request + 1, headers(path, secure));
		}
		frame(frames, 0, 0, 0, new byte[1]);
		socket.setSoTimeout(10_000);
		try {
			socket.getOutputStream().write(bytes.toByteArray());
			socket.getInputStream().readAllBytes();
		}
		catch (SocketException | SSLException ex) {
			assertThat(ex).hasMessageMatching("Connection reset|Broken pipe|Tag mismatch!|Illegal packet size: \\d+");
		}
	}

	private static void frame(DataOutputStream frames, int type, int flags, int stream, byte[] payload)
			throws IOException {
		frames.write(new byte[] { 0, 0, (byte) payload.length, (byte) type, (byte) flags });
		frames.writeInt(stream);
		frames.write(payload);
	}

	/** Returns a block of GET, the scheme, the authority "a" and a path, by HPACK. */
	private static byte[] headers(String path, boolean secure) throws IOException {
		ByteArrayOutputStream block = new ByteArrayOutputStream();
		block
			.write(new byte[] { (byte) 0x82, (byte) (secure ? 0x87 : 0x86), 0x01, 1, 'a', 0x04, (byte) path.length() });
		block.write(path.getBytes(StandardCharsets.US_ASCII));
		return block.toByteArray();
	}

	private static int port(WebApplicationType server, boolean secure) {
		return APPLICATIONS.get(List.of(server, secure), () -> start(server, secure))
			.getEnvironment()
			.getRequiredProperty("local.server.port", Integer.class);
	}

	private static ConfigurableApplicationContext start(WebApplicationType server, boolean secure) {
		String policy = "ratelimit.policies.";
		return SharedApplications.on(server, Application.class)
			.properties("server.port=0", "server.http2.enabled=true", "ratelimit.store=memory",
					"server.ssl.enabled=" + secure, "server.ssl.key-store=" + STORE.location(),
					"server.ssl.key-store-password=" + STORE.password(), policy + "blocked.limits=1000/1h",
					policy + "blocked.key=client-ip", policy + "blocked.blocked=ip:127.0.0.0/8",
					policy + "skipping.limits=3/1h fixed-window", policy + "skipping.key=client-ip",
					policy + "skipping.on-missing-key=skip", policy + "shared.limits=3/1h fixed-window",
					policy + "shared.key=client-ip")
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
		static final AtomicReference<CountDownLatch> ENDED = new AtomicReference<>(new CountDownLatch(1));

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
			ENDED.get().await(20, TimeUnit.SECONDS);
			return this.late.served();
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
