package io.github.ratelimit.sample.live;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

import io.github.ratelimit.sample.SampleApplication;
import io.github.ratelimit.sample.live.LiveClient.Events;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The live page over HTTP: what it lets everybody do, and no more.
 */
@Tag("long")
@Timeout(60)
class LiveEndpointsIT {

	private static final String OTHER_INSTANCE = "http://localhost:8081";

	private static final ConfigurableApplicationContext SAMPLE = sample();

	private static final AtomicInteger CLIENTS = new AtomicInteger();

	private final LiveClient client = new LiveClient(SAMPLE, "203.0.113." + CLIENTS.incrementAndGet());

	private final UUID visitor = UUID.randomUUID();

	private final List<Events> opened = new ArrayList<>();

	@AfterEach
	void close() {
		this.opened.forEach(Events::close);
		await().untilAsserted(() -> assertThat(SAMPLE.getBean(EventStreams.class).count()).isZero());
	}

	@AfterAll
	static void stop() {
		SAMPLE.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/index.html", "/live/main.js", "/live/live.css", "/live/icon.svg" })
	void showsThePageToEverybody(String path) {
		HttpResponse<String> response = this.client.get(path);
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().map()).doesNotContainKey("set-cookie");
		assertThat(response.headers().firstValue("Content-Security-Policy")).hasValue(
				"default-src 'none'; " + "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' "
						+ OTHER_INSTANCE + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/livestock", "/index.html/x", "/reports/may", "/application.yml",
			"/actuator/ratelimitcontrols", "/actuator/ratelimits/live-token-bucket" })
	void opensNothingElse(String path) {
		assertThat(this.client.get(path).statusCode()).isEqualTo(401);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/live/events", "/live/events?visitor=", "/live/events?visitor=ada" })
	void rejectsInvalidStreams(String path) {
		assertInvalid(this.client.get(path));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/live/calls/token-bucket", "/live/calls/token-bucket?visitor=../../etc",
			"/live/calls/quotes?visitor={visitor}", "/live/calls/streams?visitor={visitor}",
			"/live/calls/token-bucket?visitor={visitor}&plan=premium" })
	void rejectsInvalidCalls(String path) {
		open();
		assertInvalid(this.client.post(path.replace("{visitor}", this.visitor.toString())));
	}

	@Test
	void countsNoKeyWithoutAStream() {
		assertThat(this.client.call("fixed-window", this.visitor).statusCode()).isEqualTo(409);
		open();
		assertThat(this.client.call("fixed-window", this.visitor).headers().firstValue("RateLimit").orElse(""))
			.contains(";r=9;");
	}

	@Test
	void sendsDecisionsToTheirVisitorAlone() {
		UUID other = UUID.randomUUID();
		Events events = open();
		Events ofOther = open(other);
		assertThat(events.next("welcome")).contains("\"key\":\"expression:" + this.visitor + "\"")
			.contains(OTHER_INSTANCE);
		this.client.call("token-bucket", this.visitor);
		this.client.call("leaky-bucket", other);
		assertThat(events.next("call")).contains("live-token-bucket", "\"ALLOWED\"", "\"remaining\":9");
		assertThat(ofOther.next("call")).contains("live-leaky-bucket");
	}

	@Test
	void sendsWhatOperatorsDoToAKey() {
		Events events = open();
		String key = "{\"policy\":\"live-leaky-bucket\",\"key\":\"expression:" + this.visitor
				+ "\",\"duration\":\"1m\"";
		assertThat(this.client.call("leaky-bucket", this.visitor).statusCode()).isEqualTo(204);
		assertThat(events.next("call")).contains("\"ALLOWED\"");
		assertThat(this.client.call("leaky-bucket", this.visitor).headers().firstValue("Retry-After")).hasValue("1");
		assertThat(events.next("call")).contains("\"DENIED\"");
		this.client.control("grant", key + ",\"permits\":1}");
		assertThat(this.client.call("leaky-bucket", this.visitor).statusCode()).isEqualTo(204);
		assertThat(events.next("call")).contains("\"GRANTED\"");
		this.client.control("ban", key + "}");
		assertThat(this.client.call("leaky-bucket", this.visitor).statusCode()).isEqualTo(403);
		assertThat(events.next("call")).contains("\"BANNED\"", "\"state\":null");
	}

	@Test
	void hasRoomForSoManyStreams() {
		open();
		Events second = open();
		Events third = this.client.open(this.visitor);
		this.opened.add(third);
		assertThat(third.status()).isEqualTo(503);
		second.close();
		await().untilAsserted(() -> assertThat(open().status()).isEqualTo(200));
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void noticesQuietlyThatABrowserHasGone(CapturedOutput output) {
		for (int stream = 0; stream < 15; stream++) {
			open().close();
			await().untilAsserted(() -> assertThat(SAMPLE.getBean(EventStreams.class).count()).isZero());
		}
		assertThat(output).doesNotContain("ERROR");
	}

	@Test
	void limitsHowOftenAnAddressOpensAStream() {
		List<Integer> statuses = new ArrayList<>();
		for (int stream = 0; stream < 21; stream++) {
			statuses.add(this.client.get("/live/events?visitor=ada").statusCode());
		}
		assertThat(statuses).endsWith(429).containsOnly(400, 429);
	}

	@Test
	void letsOtherInstancesReadItsHeaders() {
		open();
		HttpResponse<String> response = this.client.post("/live/calls/token-bucket?visitor=" + this.visitor, "Origin",
				OTHER_INSTANCE);
		assertThat(response.statusCode()).isEqualTo(204);
		assertThat(response.headers().firstValue("Access-Control-Allow-Origin")).hasValue(OTHER_INSTANCE);
		assertThat(response.headers().firstValue("Access-Control-Expose-Headers").orElse("")).contains("RateLimit",
				"RateLimit-Policy", "Retry-After");
		assertThat(response.headers().map()).doesNotContainKey("access-control-allow-credentials");
	}

	@Test
	void refusesPagesOfOtherSites() {
		open();
		String call = "/live/calls/token-bucket?visitor=" + this.visitor;
		assertThat(this.client.post(call, "Origin", "http://localhost:8082").statusCode()).isEqualTo(403);
		assertThat(this.client.get("/live/events?visitor=" + this.visitor, "Origin", "null").statusCode())
			.isEqualTo(403);
	}

	@Test
	void endsStreamsWhenItStops() throws IOException {
		long start = System.nanoTime();
		ConfigurableApplicationContext sample = sample(SlowContainer.class);
		try (Events events = new LiveClient(sample, "203.0.113.1").open(this.visitor)) {
			events.next("welcome");
			sample.close();
			events.awaitEnd();
		}
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(25));
	}

	private Events open() {
		return open(this.visitor);
	}

	private Events open(UUID visitor) {
		Events events = this.client.open(visitor);
		this.opened.add(events);
		return events;
	}

	private static void assertInvalid(HttpResponse<String> response) {
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
	}

	private static ConfigurableApplicationContext sample(Class<?>... sources) {
		SpringApplication application = new SpringApplication(SampleApplication.class);
		application.addPrimarySources(List.of(sources));
		return application.run("--server.port=0", "--ratelimit.http.trusted-proxies=127.0.0.1",
				"--ratelimit.policies.live-streams.limits=20/1h", "--sample.live.instances=" + OTHER_INSTANCE,
				"--sample.live.max-streams=2", "--sample.live.heartbeat=20ms");
	}

	/**
	 * A container that, when a stream ends, takes its time before it writes what is left
	 * of the response.
	 */
	static final class SlowContainer implements Filter, AsyncListener {

		private final CountDownLatch stopped = new CountDownLatch(1);

		@Override
		public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
				throws IOException, ServletException {
			chain.doFilter(request, response);
			if (request.isAsyncStarted()) {
				request.getAsyncContext().addListener(this);
			}
		}

		@Override
		public void onComplete(AsyncEvent event) {
			try {
				this.stopped.await(10, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		@Override
		public void onTimeout(AsyncEvent event) {
		}

		@Override
		public void onError(AsyncEvent event) {
		}

		@Override
		public void onStartAsync(AsyncEvent event) {
		}

	}

}
