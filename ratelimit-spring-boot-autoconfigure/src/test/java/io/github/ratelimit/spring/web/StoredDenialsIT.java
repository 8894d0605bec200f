package io.github.ratelimit.spring.web;

import java.util.Locale;
import java.util.stream.Stream;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No cache may store a refusal, whatever a filter said before.
 */
class StoredDenialsIT {

	private static final String BROKEN = "broken";

	private static final String[] PROPERTIES = { "server.port=0", "ratelimit.on-store-failure=deny",
			"ratelimit.policies.client.limits=1/1h", "ratelimit.policies.client.key=header:X-Client",
			"ratelimit.policies.known.limits=1/1h", "ratelimit.policies.known.key=header:X-Api-Key",
			"ratelimit.policies.known.on-missing-key=deny", "ratelimit.rules[0].paths=/after",
			"ratelimit.rules[0].policies=client", "ratelimit.rules[1].paths=/before",
			"ratelimit.rules[1].policies=client", "ratelimit.rules[1].phase=before-security",
			"ratelimit.rules[2].paths=/unknown", "ratelimit.rules[2].policies=known" };

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void mayNotBeStored(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			for (String path : new String[] { "/after", "/before", "/annotated" }) {
				assertThat(cacheControl(application, path, path, 200)).as(path).containsExactly("public, max-age=3600");
				assertThat(cacheControl(application, path, path, 429)).as(path).containsExactly("no-store");
				assertThat(cacheControl(application, path, BROKEN, 503)).as(path).containsExactly("no-store");
			}
			assertThat(cacheControl(application, "/costing?cost=2", "a", 422)).containsExactly("no-store");
			assertThat(cacheControl(application, "/unknown", "a", 403)).containsExactly("no-store");
			assertThat(cacheControl(application, "/annotated-unknown", "a", 403)).containsExactly("no-store");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void mayNotBeStoredEitherWhereAnApplicationRespondsItself(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type, OwnAnswer.class)) {
			assertThat(cacheControl(application, "/annotated", "a", 200)).containsExactly("public, max-age=3600");
			assertThat(cacheControl(application, "/annotated", "a", 429)).containsExactly("no-store");
			assertThat(cacheControl(application, "/annotated", BROKEN, 503)).containsExactly("max-age=1");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void mayNotBeStoredEitherWhereAControllerHandlesThem(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			assertThat(cacheControl(application, "/own", "a", 200)).containsExactly("public, max-age=3600");
			assertThat(cacheControl(application, "/own", "a", 429)).containsExactly("no-store");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void mayNotBeStoredEitherWhereAnApplicationHandlesThem(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type, OwnAdvice.class)) {
			for (String path : new String[] { "/after", "/before", "/annotated", "/costing?cost=1" }) {
				assertThat(cacheControl(application, path, path, 200)).as(path).containsExactly("public, max-age=3600");
				assertThat(cacheControl(application, path, path, 429)).as(path).containsExactly("no-store");
			}
		}
	}

	/** Returns the values of the header in a response with a status. */
	private static Stream<String> cacheControl(ConfigurableApplicationContext application, String path, String client,
			int status) {
		int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		String response = RawClient.send(port, "GET " + path
				+ " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Client: " + client + "\r\n\r\n");
		assertThat(response).startsWith("HTTP/1.1 " + status);
		return response.lines()
			.filter((line) -> line.toLowerCase(Locale.ROOT).startsWith("cache-control:"))
			.map((line) -> line.substring("cache-control:".length()).strip());
	}

	private static ConfigurableApplicationContext application(WebApplicationType type, Class<?>... more) {
		return SharedApplications.on(type, Application.class).sources(more).properties(PROPERTIES).run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Controller.class, OwnController.class })
	static class Application {

		@Bean
		TestStore store() {
			return new TestStore().fail(BROKEN);
		}

		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		Filter caching() {
			return (request, response, chain) -> {
				((HttpServletResponse) response).setHeader("Cache-Control", "public, max-age=3600");
				chain.doFilter(request, response);
			};
		}

		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		WebFilter reactiveCaching() {
			return (exchange, chain) -> {
				exchange.getResponse().getHeaders().set("Cache-Control", "public, max-age=3600");
				return chain.filter(exchange);
			};
		}

	}

	/**
	 * Decides whether one response may be stored, and leaves the others alone.
	 */
	@Configuration(proxyBeanMethods = false)
	static class OwnAnswer {

		@Bean
		RateLimitResponseCustomizer response() {
			return (refusal, standard, request) -> (refusal instanceof RateLimitExceededException)
					? ResponseEntity.status(standard.getStatusCode()).body("later")
					: ResponseEntity.status(standard.getStatusCode()).header("Cache-Control", "max-age=1").body("soon");
		}

	}

	@RestControllerAdvice
	static class OwnAdvice {

		@ExceptionHandler
		ResponseEntity<String> handle(RateLimitExceededException ex) {
			return ResponseEntity.status(429).body("later");
		}

	}

	@RestController
	static class Controller {

		@GetMapping({ "/after", "/before", "/unknown" })
		String open() {
			return "ok";
		}

		@GetMapping("/annotated")
		@RateLimited("client")
		String annotated() {
			return "ok";
		}

		@GetMapping("/annotated-unknown")
		@RateLimited("known")
		String unknown() {
			return "ok";
		}

		@GetMapping("/costing")
		@RateLimited(policy = "client", cost = "#cost")
		String costing(@RequestParam long cost) {
			return "ok";
		}

	}

	/**
	 * Answers denials itself.
	 */
	@RestController
	static class OwnController {

		@GetMapping("/own")
		@RateLimited("client")
		Mono<String> own() {
			return Mono.just("ok");
		}

		@ExceptionHandler
		ResponseEntity<String> handle(RateLimitExceededException ex) {
			return ResponseEntity.status(429).body("later");
		}

	}

}
