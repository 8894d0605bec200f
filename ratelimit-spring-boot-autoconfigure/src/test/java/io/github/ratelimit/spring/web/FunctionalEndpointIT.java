package io.github.ratelimit.spring.web;

import java.time.Duration;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.store.RateLimitStoreException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.FluxExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Functions that serve requests of WebFlux and write the results of limited methods.
 */
class FunctionalEndpointIT {

	private static final ConfigurableApplicationContext CONTEXT = new SpringApplicationBuilder(Application.class)
		.web(WebApplicationType.REACTIVE)
		.properties("server.port=0", "ratelimit.store=memory", "ratelimit.policies.closed.limits=1/1h",
				"ratelimit.policies.closed.blocked=ip:0.0.0.0/0,ip:::/0")
		.run();

	private final WebTestClient client = WebTestClient.bindToServer()
		.baseUrl("http://localhost:" + CONTEXT.getEnvironment().getRequiredProperty("local.server.port"))
		.build();

	@AfterAll
	static void stop() {
		CONTEXT.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/handler", "/mono", "/flux", "/stream" })
	void respondsToADenialWithProblemDetailsWhereverItComes(String path) {
		get(path).expectStatus().isOk().expectBody();
		get(path).expectStatus()
			.isEqualTo(429)
			.expectHeader()
			.contentType("application/problem+json")
			.expectHeader()
			.valueEquals("Retry-After", "3600")
			.expectHeader()
			.exists("RateLimit-Policy")
			.expectBody()
			.json("""
					{"type": "https://iana.org/assignments/http-problem-types#quota-exceeded", "status": 429}""");
	}

	@Test
	void sendsNoHeaderOfTheContentThatIsDenied() {
		get("/disposed").expectHeader()
			.valueEquals("Content-Disposition", "attachment; filename=quotes.txt")
			.expectBody();
		HttpHeaders denied = get("/disposed").expectStatus()
			.isEqualTo(429)
			.expectBody()
			.returnResult()
			.getResponseHeaders();
		assertThat(denied.headerNames()).doesNotContain("Content-Disposition", "Content-Language");
	}

	@ParameterizedTest
	@CsvSource({ "/costly,422", "/blocked,403", "/undecided,503", "/wrong,500" })
	void respondsToRejectionsByTheirStatusAndNothingElse(String path, int status) {
		get(path).expectStatus().isEqualTo(status).expectBody();
	}

	@Test
	void leavesAResponseAloneThatHasBegun() {
		get("/begun").expectBody(String.class)
			.value((admitted) -> assertThat(admitted).contains("first").contains("ok"));
		FluxExchangeResult<String> denied = get("/begun").expectStatus().isOk().returnResult(String.class);
		assertThat(denied.getResponseHeaders().containsHeader("Retry-After")).isFalse();
		assertThat(denied.getResponseBody().onErrorComplete().collectList().block()).containsExactly("first");
	}

	private WebTestClient.ResponseSpec get(String path) {
		return this.client.get().uri(path).exchange();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Quotes.class)
	static class Application {

		@Bean
		RouterFunction<ServerResponse> routes(Quotes quotes) {
			return RouterFunctions.route()
				.GET("/handler", (request) -> quotes.handled().flatMap(ServerResponse.ok()::bodyValue))
				.GET("/mono",
						(request) -> ServerResponse.ok()
							.contentType(MediaType.TEXT_PLAIN)
							.contentLength(2)
							.body(quotes.mono(), String.class))
				.GET("/flux", (request) -> ServerResponse.ok().body(quotes.flux(), Integer.class))
				.GET("/stream",
						(request) -> ServerResponse.ok()
							.contentType(MediaType.TEXT_EVENT_STREAM)
							.body(quotes.stream(), Integer.class))
				.GET("/costly", (request) -> ServerResponse.ok().body(quotes.costly(2), String.class))
				.GET("/blocked", (request) -> ServerResponse.ok().body(quotes.blocked(), String.class))
				.GET("/undecided", (request) -> ServerResponse.ok().body(failing(), String.class))
				.GET("/wrong",
						(request) -> ServerResponse.ok()
							.body(Mono.error(new IllegalArgumentException("wrong")), String.class))
				.GET("/begun", (request) -> ServerResponse.ok()
					.contentType(MediaType.TEXT_EVENT_STREAM)
					.body(Mono.just("first")
						.concatWith(Mono.defer(quotes::begun).delaySubscription(Duration.ofMillis(50))), String.class))
				.build();
		}

		@Bean
		RouterFunction<ServerResponse> disposedRoute(Quotes quotes) {
			return RouterFunctions.route()
				.GET("/disposed",
						(request) -> ServerResponse.ok()
							.header("Content-Disposition", "attachment; filename=quotes.txt")
							.header("Content-Language", "en")
							.body(quotes.disposed(), String.class))
				.build();
		}

		private static Mono<String> failing() {
			return Mono.error(new RateLimitStoreException("down", null));
		}

	}

	static class Quotes {

		@RateLimited(limit = "1/1h")
		Mono<String> handled() {
			return Mono.just("ok");
		}

		@RateLimited(limit = "1/1h")
		Mono<String> mono() {
			return Mono.just("ok");
		}

		@RateLimited(limit = "1/1h")
		Mono<String> disposed() {
			return Mono.just("ok");
		}

		@RateLimited(limit = "1/1h")
		Flux<Integer> flux() {
			return Flux.just(1, 2);
		}

		@RateLimited(limit = "1/1h")
		Flux<Integer> stream() {
			return Flux.just(1, 2);
		}

		@RateLimited(limit = "1/1h", cost = "#size")
		Mono<String> costly(int size) {
			return Mono.just("ok");
		}

		@RateLimited("closed")
		Mono<String> blocked() {
			return Mono.just("ok");
		}

		@RateLimited(limit = "1/1h")
		Mono<String> begun() {
			return Mono.just("ok");
		}

	}

}
