package io.github.ratelimit.spring.web;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.ratelimit.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that virtual threads serve, and that wait for their turns at the same time.
 */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadTests {

	private static final int REQUESTS = 10;

	@Test
	void waitForTheirTurnsAndAreDenied() {
		HttpClient client = HttpClient.newHttpClient();
		try (ConfigurableApplicationContext context = application()) {
			URI uri = URI.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port") + "/");
			client.sendAsync(HttpRequest.newBuilder(uri.resolve("/unlimited")).build(), BodyHandlers.ofString()).join();
			List<CompletableFuture<HttpResponse<String>>> sent = IntStream.range(0, REQUESTS + 1)
				.mapToObj((call) -> client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()))
				.toList();
			List<HttpResponse<String>> responses = sent.stream().map(CompletableFuture::join).toList();
			assertThat(responses).filteredOn((response) -> response.statusCode() == 200)
				.hasSize(REQUESTS)
				.allSatisfy((response) -> assertThat(response.body()).startsWith("VirtualThread"));
			assertThat(responses).filteredOn((response) -> response.statusCode() == 429).hasSize(1);
		}
	}

	/**
	 * One call proceeds at once, the others have turns of 300 ms, so that all are there
	 * before the second turn.
	 */
	private static ConfigurableApplicationContext application() {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.properties("server.port=0", "server.tomcat.threads.max=1", "spring.threads.virtual.enabled=true",
					"ratelimit.store=memory", "ratelimit.policies.line.limits=10/3s leaky-bucket",
					"ratelimit.policies.line.max-wait=1h", "ratelimit.policies.line.max-waiting=" + (REQUESTS - 1))
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Turns.class)
	static class Application {

	}

	@RestController
	static class Turns {

		@GetMapping("/unlimited")
		String unlimited() {
			return "";
		}

		@GetMapping("/")
		@RateLimited("line")
		String turn() {
			return Thread.currentThread().toString();
		}

	}

}
