package io.github.ratelimit.doors;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Responses that are complete only after the limited method has returned, though no
 * method of a controller serves them. They hold their permit until then.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class OngoingResponsesContract {

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final ConfigurableApplicationContext application;

	OngoingResponsesContract(WebApplicationType type, Class<?>... configuration) {
		this.application = new SpringApplicationBuilder(Application.class).sources(configuration)
			.web(type)
			.properties("server.port=0", "server.shutdown=immediate", "ratelimit.store=memory",
					"ratelimit.policies.busy.limits=1 concurrent")
			.run();
	}

	/** Returns the paths of the responses. */
	abstract Stream<String> paths();

	@ParameterizedTest
	@MethodSource("paths")
	void holdTheirPermitUntilTheyAreComplete(String path) {
		End end = this.application.getBean(End.class);
		end.renew();
		CompletableFuture<HttpResponse<Void>> first = get(path);
		Awaitility.await().untilAsserted(() -> assertThat(remaining()).isZero());
		Awaitility.await()
			.during(Duration.ofMillis(300))
			.untilAsserted(() -> assertThat(get(path).join().statusCode()).isEqualTo(429));
		assertThat(first).isNotDone();
		end.current().complete("end");
		assertThat(first.join().statusCode()).isEqualTo(200);
		Awaitility.await().untilAsserted(() -> assertThat(remaining()).isOne());
	}

	@AfterAll
	void stop() {
		this.application.close();
	}

	private long remaining() {
		return this.application.getBean(RateLimiter.class)
			.peek(List.of(Charge.of("busy", Policy.EVERYONE)))
			.limits()
			.get(0)
			.remaining();
	}

	private CompletableFuture<HttpResponse<Void>> get(String path) {
		String port = this.application.getEnvironment().getRequiredProperty("local.server.port");
		return this.client.sendAsync(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build(),
				BodyHandlers.discarding());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	/** The end of the responses. */
	static final class End {

		private volatile CompletableFuture<String> current = new CompletableFuture<>();

		void renew() {
			this.current = new CompletableFuture<>();
		}

		CompletableFuture<String> current() {
			return this.current;
		}

	}

}
