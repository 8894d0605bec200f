package io.github.ratelimit.spring.web;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimited;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Responses of an upstream with rate limits of its own, which a controller passes on.
 */
@Tag("long")
class RelayedHeadersIT {

	@RegisterExtension
	static final SharedApplications APPLICATIONS = new SharedApplications();

	private static final Map<String, String> UPSTREAM = Map.of("X-RateLimit-Limit", "777", "X-RateLimit-Remaining",
			"776", "X-RateLimit-Used", "666", "RateLimit", "\"up\";r=5;t=9", "RateLimit-Limit", "888",
			"RateLimit-Remaining", "887", "RateLimit-Limit-Hour", "999");

	private static final List<String> X = List.of("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset");

	static Stream<Arguments> responses() {
		Map<String, List<String>> reported = Map.of("x-ratelimit", X, "draft-11",
				List.of("ratelimit", "ratelimit-policy"), "draft-7", List.of("ratelimit", "ratelimit-policy"),
				"draft-6", List.of("ratelimit-limit", "ratelimit-policy", "ratelimit-remaining", "ratelimit-reset"));
		return Stream.of(WebApplicationType.SERVLET, WebApplicationType.REACTIVE)
			.flatMap((type) -> reported.entrySet()
				.stream()
				.flatMap((headers) -> Stream.of("/entity", "/mono", "/rule", "/measured")
					.map((path) -> Arguments.of(type, headers.getKey(), path, headers.getValue()))));
	}

	@ParameterizedTest
	@MethodSource("responses")
	void haveTheHeadersOfTheLimiterInsteadOfThoseOfTheSameFamily(WebApplicationType type, String dialect, String path,
			List<String> reported) {
		HttpResponse<String> response = get(type, dialect, path);
		assertThat(response.statusCode()).isEqualTo(200);
		boolean isX = dialect.equals("x-ratelimit");
		assertThat(family(response, isX)).extracting(Map.Entry::getKey).containsExactlyInAnyOrderElementsOf(reported);
		assertThat(family(response, isX)).extracting(Map.Entry::getValue)
			.allSatisfy((values) -> assertThat(values).hasSize(1).doesNotContainAnyElementsOf(UPSTREAM.values()));
		assertThat(family(response, !isX)).isEqualTo(upstream(!isX));
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void keepTheTimeToRetryOfADenial(WebApplicationType type) {
		HttpResponse<String> denied = get(type, "draft-11", "/denied");
		assertThat(denied.statusCode()).isEqualTo(429);
		assertThat(denied.headers().allValues("Retry-After")).containsExactly("7");
		assertThat(denied.headers().firstValue("RateLimit"))
			.hasValueSatisfying((value) -> assertThat(value).startsWith("\"client\""));
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void areLeftAsTheyAreIfTheLimiterHasNoHeadersOrNoDecision(WebApplicationType type) {
		for (HttpResponse<String> response : List.of(get(type, "none", "/entity"), get(type, "draft-11", "/free"))) {
			assertThat(family(response, true)).isEqualTo(upstream(true));
			assertThat(family(response, false)).isEqualTo(upstream(false));
		}
	}

	private static List<Map.Entry<String, List<String>>> family(HttpResponse<String> response, boolean isX) {
		return response.headers()
			.map()
			.entrySet()
			.stream()
			.filter((header) -> header.getKey().startsWith(isX ? "x-ratelimit" : "ratelimit"))
			.sorted(Map.Entry.comparingByKey())
			.toList();
	}

	private static List<Map.Entry<String, List<String>>> upstream(boolean isX) {
		return UPSTREAM.entrySet()
			.stream()
			.map((header) -> Map.entry(header.getKey().toLowerCase(Locale.ROOT), List.of(header.getValue())))
			.filter((header) -> header.getKey().startsWith(isX ? "x-ratelimit" : "ratelimit"))
			.sorted(Map.Entry.comparingByKey())
			.toList();
	}

	private static HttpResponse<String> get(WebApplicationType type, String dialect, String path) {
		int port = APPLICATIONS.get(type + dialect, () -> start(type, dialect))
			.getEnvironment()
			.getRequiredProperty("local.server.port", Integer.class);
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
			.header("X-Client", UUID.randomUUID().toString())
			.build();
		try {
			return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static ConfigurableApplicationContext start(WebApplicationType type, String dialect) {
		return SharedApplications.on(type, Application.class)
			.properties("server.port=0", "ratelimit.store=memory", "ratelimit.http.headers=" + dialect,
					"ratelimit.policies.client.limits=5/1h", "ratelimit.policies.client.key=header:X-Client",
					"ratelimit.rules[0].paths=/rule", "ratelimit.rules[0].policies=client",
					"ratelimit.rules[1].paths=/measured", "ratelimit.rules[1].policies=client",
					"ratelimit.rules[1].actual=#response.size")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Application {

	}

	@RestController
	static class Controller {

		@GetMapping("/entity")
		@RateLimited("client")
		ResponseEntity<String> entity() {
			return relay(200);
		}

		@GetMapping("/mono")
		@RateLimited("client")
		Mono<ResponseEntity<String>> mono() {
			return Mono.fromSupplier(() -> relay(200));
		}

		@GetMapping({ "/rule", "/measured", "/free" })
		ResponseEntity<String> unlimited() {
			return relay(200);
		}

		@GetMapping("/denied")
		@RateLimited("client")
		ResponseEntity<String> denied() {
			return relay(429);
		}

		private static ResponseEntity<String> relay(int status) {
			return ResponseEntity.status(status)
				.headers((headers) -> UPSTREAM.forEach(headers::add))
				.header("Retry-After", "7")
				.body("ok");
		}

	}

}
