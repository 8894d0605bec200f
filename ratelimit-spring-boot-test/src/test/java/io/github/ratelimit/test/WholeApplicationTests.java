package io.github.ratelimit.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;

import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.test.app.QuoteApplication;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;

import static io.github.ratelimit.test.RateLimitAssertions.assertThatCall;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A whole application on a server with virtual threads, with a Redis and a store of its
 * own that must not be used.
 */
@SpringBootTest(classes = QuoteApplication.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "spring.main.web-application-type=servlet", "spring.threads.virtual.enabled=true",
				"ratelimit.enabled=false" })
@AutoConfigureRestTestClient
@AutoConfigureRateLimits
@Import(WholeApplicationTests.OwnStore.class)
class WholeApplicationTests {

	private static final ServerSocket REDIS = listen();

	private static final String LOCALHOST = "client-ip:127.0.0.1";

	@Autowired
	RestTestClient client;

	@Autowired
	TestRateLimits limits;

	@Autowired
	TestStore ownStore;

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry properties) {
		properties.add("spring.data.redis.port", REDIS::getLocalPort);
	}

	@AfterEach
	void leavesTheStoreOfTheApplicationAlone() {
		assertThat(this.ownStore.requests()).isEmpty();
	}

	@AfterAll
	static void close() throws IOException {
		REDIS.close();
	}

	@Test
	void limitsRequestsOnOtherThreads() {
		String thread = this.client.get()
			.uri("/thread")
			.exchange()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		assertThat(thread).startsWith((Runtime.version().feature() >= 21) ? "VirtualThread" : "Thread");
		assertThat(this.limits.remaining("quotes", LOCALHOST)).isEqualTo(9);
		this.limits.exhaust("quotes", LOCALHOST);
		assertThatCall(this.client.get().uri("/quotes").exchange()).isRateLimited().by("quotes").retryAfter("6s");
	}

	@Test
	void connectsToNoRedis(@Autowired RedisConnectionFactory configured) throws IOException {
		this.client.get().uri("/quotes").exchange().expectStatus().isOk();
		assertThat(configured).isNotNull();
		REDIS.setSoTimeout(1);
		assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(REDIS::accept);
	}

	@Test
	void keepsTheMetersOfTheApplication(@Autowired MeterRegistry meters) {
		this.limits.exhaust("quotes", "client-ip:192.0.2.1");
		double before = requests(meters);
		this.client.get().uri("/quotes").exchange().expectStatus().isOk();
		this.limits.exhaust("quotes", LOCALHOST);
		assertThat(requests(meters)).isEqualTo(before + 1);
	}

	@RepeatedTest(2)
	void endsControlsWithTheTestOrAsTheClockMoves(@Autowired Controls controls) {
		this.client.get().uri("/quotes").exchange().expectStatus().isOk();
		controls.set(new Ban("quotes", LOCALHOST), Duration.ofMinutes(1));
		this.client.get().uri("/quotes").exchange().expectStatus().isForbidden();
		this.limits.advance("61s");
		this.client.get().uri("/quotes").exchange().expectStatus().isOk();
		controls.set(new Ban("quotes", LOCALHOST), null);
	}

	private static double requests(MeterRegistry meters) {
		return meters.find("ratelimit.requests").counters().stream().mapToDouble(Counter::count).sum();
	}

	private static ServerSocket listen() {
		try {
			return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class OwnStore {

		@Bean
		TestStore ownStore() {
			return new TestStore();
		}

	}

}
