package io.github.ratelimit.spring.web;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.redis.TestRedis;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Policies that count each route for itself, or each caller on each route.
 */
class RouteKeyIT {

	@RegisterExtension
	static final SharedApplications APPLICATIONS = new SharedApplications();

	private final String client = UUID.randomUUID().toString();

	static Stream<Arguments> applications() {
		return Stream.of(WebApplicationType.SERVLET, WebApplicationType.REACTIVE)
			.flatMap((type) -> Stream.of("memory", "redis").map((store) -> Arguments.of(type, store)));
	}

	@ParameterizedTest
	@MethodSource("applications")
	void countsEachEndpointOfAControllerForItself(WebApplicationType type, String store) {
		Function<String, Integer> send = send(type, store);
		for (String request : List.of("GET /orders/", "DELETE /orders/", "POST /orders/", "GET /late/",
				"GET /reactive/", "GET /argument/")) {
			assertThat(send.apply(request + "1")).as(request).isEqualTo(200);
			assertThat(send.apply(request + "2")).as(request).isEqualTo(429);
		}
	}

	@ParameterizedTest
	@MethodSource("applications")
	void countsAnEndpointOnceWhateverMethodAClientSends(WebApplicationType type, String store) {
		Function<String, Integer> send = send(type, store);
		assertThat(send.apply("HEAD /orders/1")).isEqualTo(200);
		assertThat(send.apply("GET /orders/1")).isEqualTo(429);
		assertThat(send.apply("PUT /any/1")).isEqualTo(200);
		assertThat(send.apply("PATCH /any/2")).isEqualTo(429);
		assertThat(send.apply("GET /any/2;v=1")).isEqualTo(429);
	}

	@ParameterizedTest
	@MethodSource("applications")
	void countsEachMethodOfABeanForItself(WebApplicationType type, String store) {
		Function<String, Integer> send = send(type, store);
		assertThat(send.apply("GET /first/1")).isEqualTo(200);
		assertThat(send.apply("GET /second/1")).isEqualTo(200);
		assertThat(send.apply("GET /first-again/1")).isEqualTo(429);
		assertThat(report(type, store, "header:x-client:" + this.client + " + route:Reports.first"))
			.contains("\"remaining\":0");
	}

	@ParameterizedTest
	@MethodSource("applications")
	void countsThePatternOfARule(WebApplicationType type, String store) {
		for (String path : List.of("/ruled", "/early")) {
			Function<String, Integer> send = send(type, store);
			assertThat(send.apply("GET " + path + "/a/1")).isEqualTo(200);
			assertThat(send.apply("POST " + path + "/a/2")).isEqualTo(429);
			assertThat(send.apply("GET " + path + "/b/1")).isEqualTo(200);
			assertThat(send.apply("GET " + path + "/b/%32")).isEqualTo(429);
		}
	}

	@ParameterizedTest
	@MethodSource("applications")
	void countsEachCallerOnEachRoute(WebApplicationType type, String store) {
		assertThat(send(type, store).apply("GET /orders/1")).isEqualTo(200);
		assertThat(send(type, store, "other-" + this.client).apply("GET /orders/1")).isEqualTo(200);
		assertThat(send(type, store, this.client + " + route:GET /orders/{id}").apply("GET /orders/1")).isEqualTo(200);
		assertThat(send(type, store).apply("GET /orders/1")).isEqualTo(429);
	}

	@ParameterizedTest
	@MethodSource("applications")
	void hasNoKeyWithoutOneOfItsParts(WebApplicationType type, String store) {
		assertThat(RawClient.status(port(type, store), request("GET /orders/1", "X-Other: a"))).isEqualTo(403);
	}

	@ParameterizedTest
	@MethodSource("applications")
	void isFoundByOperators(WebApplicationType type, String store) {
		assertThat(send(type, store).apply("GET /orders/1")).isEqualTo(200);
		String key = "header:x-client:" + this.client + " + route:GET /orders/{id}";
		assertThat(report(type, store, key)).contains("\"remaining\":0");
	}

	private static String report(WebApplicationType type, String store, String key) {
		return RawClient.send(port(type, store), request(
				"GET /actuator/ratelimits/routes?key=" + URLEncoder.encode(key, StandardCharsets.UTF_8), "A: b"));
	}

	private Function<String, Integer> send(WebApplicationType type, String store) {
		return send(type, store, this.client);
	}

	private static Function<String, Integer> send(WebApplicationType type, String store, String client) {
		return (request) -> RawClient.status(port(type, store), request(request, "X-Client: " + client));
	}

	private static String request(String line, String header) {
		return line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n" + header
				+ "\r\n\r\n";
	}

	private static int port(WebApplicationType type, String store) {
		return application(type, store).getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	private static ConfigurableApplicationContext application(WebApplicationType type, String store) {
		return APPLICATIONS.get(type + store, () -> start(type, store));
	}

	private static ConfigurableApplicationContext start(WebApplicationType type, String store) {
		String policy = "ratelimit.policies.routes.";
		return SharedApplications.on(type, Application.class)
			.properties("server.port=0", "ratelimit.store=" + store,
					"spring.data.redis.host=" + TestRedis.shared().host(),
					"spring.data.redis.port=" + TestRedis.shared().port(), "ratelimit.redis.timeout=5s",
					"management.endpoints.web.exposure.include=ratelimits", policy + "limits=1/1h",
					policy + "key=header:X-Client + route", policy + "on-missing-key=deny")
			.properties("ratelimit.rules[0].paths=/ruled/a/*,/ruled/b/{id}", "ratelimit.rules[0].policies=routes",
					"ratelimit.rules[1].paths=/early/a/*,/early/b/*", "ratelimit.rules[1].policies=routes",
					"ratelimit.rules[1].phase=before-security")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Orders.class, Open.class, Reports.class })
	static class Application {

	}

	@RestController
	@RateLimited("routes")
	static class Orders {

		@GetMapping("/orders/{id}")
		String get(@PathVariable String id) {
			return id;
		}

		@DeleteMapping("/orders/{id}")
		String delete(@PathVariable String id) {
			return id;
		}

		@PostMapping("/orders/{id}")
		CompletableFuture<String> post(@PathVariable String id) {
			return CompletableFuture.completedFuture(id);
		}

		@GetMapping("/late/{id}")
		CompletableFuture<String> late(@PathVariable String id) {
			return CompletableFuture.completedFuture(id);
		}

		@GetMapping("/reactive/{id}")
		Mono<String> reactive(@PathVariable String id) {
			return Mono.just(id);
		}

		@RequestMapping("/any/{id}")
		String any(@PathVariable String id) {
			return id;
		}

	}

	@RestController
	static class Open {

		private final Reports reports;

		Open(Reports reports) {
			this.reports = reports;
		}

		@GetMapping("/argument/{id}")
		@RateLimited(policy = "routes", cost = "#id.length()")
		Mono<String> argument(@PathVariable String id) {
			return Mono.just(id);
		}

		@RequestMapping({ "/ruled/{kind}/{id}", "/early/{kind}/{id}" })
		String ruled(@PathVariable String id) {
			return id;
		}

		@GetMapping({ "/first/{id}", "/first-again/{id}" })
		Mono<String> first() {
			return this.reports.first();
		}

		@GetMapping("/second/{id}")
		Mono<String> second() {
			return this.reports.second();
		}

	}

	@Service
	static class Reports {

		@RateLimited("routes")
		Mono<String> first() {
			return Mono.just("ok");
		}

		@RateLimited("routes")
		Mono<String> second() {
			return Mono.just("ok");
		}

	}

}
