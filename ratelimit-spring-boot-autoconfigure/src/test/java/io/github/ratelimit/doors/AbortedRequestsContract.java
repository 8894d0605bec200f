package io.github.ratelimit.doors;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Random;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

/**
 * Requests that clients abort up to four milliseconds after they have sent them, to an
 * application that has just started, and to one that is warm. They leave no permit held.
 */
@Tag("long")
abstract class AbortedRequestsContract {

	private static final List<String> PATHS = List.of("/rule", "/mono", "/blocking");

	private static final int REQUESTS = 1_200;

	private static final int COLD = 12;

	private static final List<Abort> ABORTS = List.of(Abort.values());

	private static final int LATEST_MICROS = 4_000;

	private static final int PERMITS = 3;

	/** Less than the timeout of asynchronous processing, which would end requests too. */
	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final Random random = new Random(REQUESTS);

	private final WebApplicationType type;

	private final Class<?>[] configuration;

	AbortedRequestsContract(WebApplicationType type, Class<?>... configuration) {
		this.type = type;
		this.configuration = configuration;
	}

	@ParameterizedTest
	@ValueSource(strings = { "memory", "redis" })
	void holdNoPermits(String store) throws Exception {
		try (ConfigurableApplicationContext application = start(store)) {
			abort(application, COLD);
			awaitAllPermits(application);
			abort(application, REQUESTS);
			awaitAllPermits(application);
			for (String path : PATHS) {
				assertThat(status(application, path)).as(path).isEqualTo(200);
			}
		}
	}

	private void abort(ConfigurableApplicationContext application, int requests) throws IOException {
		for (int request = 0; request < requests; request++) {
			Abort abort = ABORTS.get(request % ABORTS.size());
			String path = PATHS.get(this.random.nextInt(PATHS.size()));
			abort.request(port(application), path, this.random.nextInt(LATEST_MICROS));
		}
	}

	private static void awaitAllPermits(ConfigurableApplicationContext application) {
		Awaitility.await()
			.atMost(PATIENCE)
			.untilAsserted(() -> assertThat(remaining(application)).as("permits").isEqualTo(PERMITS));
	}

	private static long remaining(ConfigurableApplicationContext application) {
		return application.getBean(RateLimiter.class)
			.peek(List.of(Charge.of("conc", Policy.EVERYONE)))
			.limits()
			.get(0)
			.remaining();
	}

	private static int status(ConfigurableApplicationContext application, String path) throws Exception {
		HttpResponse<Void> response = HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port(application) + path)).build(),
					BodyHandlers.discarding());
		return response.statusCode();
	}

	private static int port(ConfigurableApplicationContext application) {
		return application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	private ConfigurableApplicationContext start(String store) {
		return new SpringApplicationBuilder(Application.class).sources(this.configuration)
			.web(this.type)
			.properties("server.port=0", "server.http2.enabled=true", "server.shutdown=immediate",
					"ratelimit.store=" + store, "ratelimit.redis.key-prefix=aborted-" + System.nanoTime(),
					"spring.data.redis.host=" + TestRedis.shared().host(),
					"spring.data.redis.port=" + TestRedis.shared().port(),
					"ratelimit.policies.conc.limits=" + PERMITS + " concurrent", "ratelimit.rules[0].paths=/rule",
					"ratelimit.rules[0].policies=conc")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Application {

	}

	/**
	 * Has no bodies, as Spring does not release one that it has encoded for a client that
	 * has gone.
	 */
	@RestController
	static class Controller {

		@GetMapping("/rule")
		Mono<Void> ruled() {
			return later();
		}

		@GetMapping("/mono")
		@RateLimited("conc")
		Mono<Void> mono() {
			return later();
		}

		@GetMapping("/blocking")
		@RateLimited("conc")
		void blocking() {
		}

		private static Mono<Void> later() {
			return Mono.delay(Duration.ofMillis(1)).then();
		}

	}

}
