package io.github.ratelimit.spring.web;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimited;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Requests that wait in line, on a Tomcat of few threads.
 */
class WaitingRequestsIT {

	private static final int REQUESTS = 12;

	private final ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
		.web(WebApplicationType.SERVLET)
		.properties("server.port=0", "server.shutdown=immediate", "server.tomcat.threads.max=4",
				"ratelimit.store=memory", "ratelimit.policies.line.limits=1/1m leaky-bucket",
				"ratelimit.policies.line.max-wait=1h", "ratelimit.policies.line.max-waiting=3")
		.run();

	private final HttpClient client = HttpClient.newHttpClient();

	private final List<CompletableFuture<HttpResponse<String>>> requests = new ArrayList<>();

	@AfterEach
	void stop() {
		this.requests.forEach((request) -> request.cancel(true));
		this.context.close();
	}

	@Test
	void leaveThreadsToOthers() {
		send("/line");
		await().until(() -> statuses(), (statuses) -> statuses.size() == REQUESTS - 3);
		assertThat(statuses()).containsOnlyOnce(200).containsOnly(200, 429);
		assertThat(this.context.getBean(Waiting.class).calls).hasValue(3);
		assertThat(free()).isEqualTo(200);
	}

	@Test
	void blockNoThreadWhereTheMethodCompletesLater() {
		send("/mono");
		await().until(() -> this.context.getBean(Waiting.class).calls.get() == REQUESTS - 1);
		await().until(() -> statuses(), (statuses) -> statuses.equals(List.of(200)));
		assertThat(free()).isEqualTo(200);
	}

	private void send(String path) {
		for (int i = 0; i < REQUESTS; i++) {
			this.requests.add(this.client.sendAsync(request(path), BodyHandlers.ofString()));
		}
	}

	private List<Integer> statuses() {
		return this.requests.stream()
			.filter(CompletableFuture::isDone)
			.map((request) -> request.join().statusCode())
			.toList();
	}

	private int free() {
		return this.client.sendAsync(request("/free"), BodyHandlers.ofString()).join().statusCode();
	}

	private HttpRequest request(String path) {
		String port = this.context.getEnvironment().getRequiredProperty("local.server.port");
		return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
			.timeout(Duration.ofSeconds(10))
			.build();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Controller.class, Waiting.class })
	static class Application {

	}

	static class Waiting implements RateLimitListener {

		private final AtomicInteger calls = new AtomicInteger();

		@Override
		public void waiting(List<String> policies) {
			this.calls.incrementAndGet();
		}

		@Override
		public void waited(List<String> policies) {
			this.calls.decrementAndGet();
		}

	}

	@RestController
	static class Controller {

		@GetMapping("/line")
		@RateLimited("line")
		String line() {
			return "ok";
		}

		@GetMapping("/mono")
		@RateLimited("line")
		Mono<String> mono() {
			return Mono.just("ok");
		}

		@GetMapping("/free")
		String free() {
			return "ok";
		}

	}

}
