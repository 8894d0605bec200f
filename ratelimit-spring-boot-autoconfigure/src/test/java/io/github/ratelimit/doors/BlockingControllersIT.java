package io.github.ratelimit.doors;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Methods of controllers of WebFlux that are decided when they are called, and return
 * neither a stage nor a publisher. They are called on a thread that may block.
 */
@Tag("long")
class BlockingControllersIT {

	private static final ConfigurableApplicationContext APPLICATION = new SpringApplicationBuilder(Application.class,
			NettyAbortedRequestsIT.Server.class)
		.web(WebApplicationType.REACTIVE)
		.properties("server.port=0", "ratelimit.redis.key-prefix=blocking-" + System.nanoTime(),
				"spring.data.redis.host=" + TestRedis.shared().host(),
				"spring.data.redis.port=" + TestRedis.shared().port(), "ratelimit.policies.roomy.limits=100000/1h")
		.run();

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	@AfterAll
	static void stop() {
		APPLICATION.close();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			/mono?id=1     |                                    |
			/flux?id=1     |                                    |
			/object?id=1   |                                    |
			/body          | text/plain                         | 1
			/form          | application/x-www-form-urlencoded  | id=1
			/multipart     | multipart/form-data; boundary=part | --part
			""")
	void mayBlock(String path, String type, String body) {
		HttpRequest.Builder request = HttpRequest.newBuilder(
				URI.create("http://localhost:" + APPLICATION.getEnvironment().getProperty("local.server.port") + path));
		if (type != null) {
			String sent = body.startsWith("--")
					? "--part\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\n1\r\n--part--\r\n" : body;
			request.header("Content-Type", type).POST(BodyPublishers.ofString(sent));
		}
		assertThat(IntStream.range(0, 100)
			.mapToObj((call) -> this.client.sendAsync(request.build(), BodyHandlers.ofString()))
			.toList()
			.stream()
			.map(CompletableFuture::join)
			.map((response) -> response.statusCode() + " " + response.body())
			.distinct()).containsExactly("200 may block");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Application {

	}

	@RestController
	static class Controller {

		@GetMapping("/mono")
		@RateLimited(policy = "roomy", key = "#id")
		ResponseEntity<Mono<String>> mono(@RequestParam String id) {
			return ResponseEntity.ok(Mono.just(thread()));
		}

		@GetMapping("/flux")
		@RateLimited(policy = "roomy", chargeOn = IllegalStateException.class)
		ResponseEntity<Flux<String>> flux(@RequestParam String id) {
			return ResponseEntity.ok(Flux.just(thread()));
		}

		@GetMapping("/object")
		@RateLimited(policy = "roomy", fallback = "fallback")
		Object object(@RequestParam String id) {
			return thread();
		}

		Object fallback(String id) {
			return "fallback";
		}

		@PostMapping("/body")
		@RateLimited(policy = "roomy", key = "#id")
		ResponseEntity<Mono<String>> body(@RequestBody String id) {
			return ResponseEntity.ok(Mono.just(thread()));
		}

		@PostMapping("/form")
		@RateLimited(policy = "roomy", key = "#form.id")
		Object form(@ModelAttribute Form form) {
			return thread();
		}

		@PostMapping("/multipart")
		@RateLimited(policy = "roomy", key = "#id")
		Object multipart(@RequestPart String id) {
			return thread();
		}

		private static String thread() {
			return Schedulers.isInNonBlockingThread() ? "must not block" : "may block";
		}

	}

	/**
	 * A form.
	 *
	 * @param id its only field
	 */
	record Form(String id) {

	}

}
