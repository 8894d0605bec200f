package io.github.ratelimit.spring.web;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.spring.web.OutcomeController.SlowCall;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

/**
 * Requests on Tomcat and Netty that wait until another request has ended, on virtual
 * threads too where the JVM has them.
 */
@Tag("long")
@ExtendWith(OutputCaptureExtension.class)
class WaitingForPermitsIT {

	private static final int REQUESTS = 4;

	private final HttpClient client = HttpClient.newHttpClient();

	@ParameterizedTest
	@CsvSource({ "SERVLET, /value, false", "SERVLET, /value, true", "SERVLET, /mono, false", "REACTIVE, /mono, false" })
	void areServedOneByOne(WebApplicationType type, String path, boolean virtual) {
		try (ConfigurableApplicationContext context = application(type, virtual)) {
			Calls calls = context.getBean(Calls.class);
			List<CompletableFuture<HttpResponse<String>>> requests = Stream.generate(() -> send(context, path))
				.limit(REQUESTS)
				.toList();
			for (int others = REQUESTS - 1; others >= 0; others--) {
				calls.slow.awaitCall();
				await().untilAtomic(calls.waiting, equalTo(others));
				assertThat(calls.running).hasValue(1);
				calls.slow.end();
			}
			assertThat(requests).extracting((request) -> request.join().statusCode()).containsOnly(200);
			await().untilAsserted(() -> assertThat(remaining(context)).isOne());
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, /value", "SERVLET, /mono", "REACTIVE, /mono" })
	void areRefusedWhereTheLimiterIsClosed(WebApplicationType type, String path, CapturedOutput output) {
		try (ConfigurableApplicationContext context = application(type, false)) {
			Calls calls = context.getBean(Calls.class);
			CompletableFuture<HttpResponse<String>> first = send(context, path);
			calls.slow.awaitCall();
			CompletableFuture<HttpResponse<String>> second = send(context, path);
			await().untilAtomic(calls.waiting, equalTo(1));
			context.getBean(RateLimiter.class).close();
			assertThat(second.join().statusCode()).isEqualTo(503);
			assertThat(second.join().headers().firstValue("Retry-After")).hasValue("1");
			calls.slow.end();
			assertThat(first.join().statusCode()).isEqualTo(200);
			assertThat(output).doesNotContain("CancelledWaitException", "\tat ");
		}
	}

	@Test
	void leaveTheLineWithTheirClients() {
		try (ConfigurableApplicationContext context = application(WebApplicationType.REACTIVE, false)) {
			Calls calls = context.getBean(Calls.class);
			CompletableFuture<HttpResponse<String>> first = send(context, "/mono");
			calls.slow.awaitCall();
			CompletableFuture<HttpResponse<String>> second = send(context, "/mono");
			await().untilAtomic(calls.waiting, equalTo(1));
			second.cancel(true);
			await().untilAtomic(calls.waiting, equalTo(0));
			calls.slow.end();
			assertThat(first.join().statusCode()).isEqualTo(200);
			await().untilAsserted(() -> assertThat(remaining(context)).isOne());
		}
	}

	private CompletableFuture<HttpResponse<String>> send(ConfigurableApplicationContext context, String path) {
		String port = context.getEnvironment().getRequiredProperty("local.server.port");
		return this.client.sendAsync(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
			.timeout(Duration.ofSeconds(30))
			.build(), BodyHandlers.ofString());
	}

	private static long remaining(ConfigurableApplicationContext context) {
		return context.getBean(RateLimiter.class)
			.peek(List.of(Charge.of("busy", "global")))
			.limits()
			.get(0)
			.remaining();
	}

	private static ConfigurableApplicationContext application(WebApplicationType type, boolean virtual) {
		return new SpringApplicationBuilder(Application.class).web(type)
			.properties("server.port=0", "server.shutdown=immediate", "spring.threads.virtual.enabled=" + virtual,
					"ratelimit.store=memory", "ratelimit.policies.busy.limits=1 concurrent",
					"ratelimit.policies.busy.max-wait=20s")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Controller.class, Calls.class })
	static class Application {

	}

	/** The calls that wait and that run. */
	static class Calls implements RateLimitListener {

		private final AtomicInteger waiting = new AtomicInteger();

		private final AtomicInteger running = new AtomicInteger();

		private final SlowCall slow = new SlowCall();

		@Override
		public void waiting(List<String> policies) {
			this.waiting.incrementAndGet();
		}

		@Override
		public void waited(List<String> policies) {
			this.waiting.decrementAndGet();
		}

		String run() throws InterruptedException {
			this.running.incrementAndGet();
			try {
				return this.slow.call();
			}
			finally {
				this.running.decrementAndGet();
			}
		}

	}

	@RestController
	@RateLimited("busy")
	static class Controller {

		private final Calls calls;

		Controller(Calls calls) {
			this.calls = calls;
		}

		@GetMapping("/value")
		String value() throws InterruptedException {
			return this.calls.run();
		}

		@GetMapping("/mono")
		Mono<String> mono() {
			return Mono.fromCallable(this.calls::run).subscribeOn(Schedulers.boundedElastic());
		}

	}

}
