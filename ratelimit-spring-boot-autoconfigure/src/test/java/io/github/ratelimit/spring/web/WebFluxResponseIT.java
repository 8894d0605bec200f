package io.github.ratelimit.spring.web;

import java.security.Principal;

import io.github.ratelimit.RateLimited;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;

/**
 * A WebFlux application on a real Netty.
 */
class WebFluxResponseIT {

	private static final ConfigurableApplicationContext CONTEXT = new SpringApplicationBuilder(Application.class)
		.web(WebApplicationType.REACTIVE)
		.properties("server.port=0", "ratelimit.store=memory", "ratelimit.policies.mono.limits=1/1h",
				"ratelimit.policies.peer.limits=1/1h", "ratelimit.policies.peer.key=client-ip",
				"ratelimit.policies.user.limits=1/1h", "ratelimit.policies.user.key=principal")
		.run();

	private final WebTestClient client = WebTestClient.bindToServer()
		.baseUrl("http://localhost:" + CONTEXT.getEnvironment().getRequiredProperty("local.server.port"))
		.build();

	@AfterAll
	static void stop() {
		CONTEXT.close();
	}

	@Test
	void respondsToADeniedCallWithProblemDetails() {
		this.client.get().uri("/mono").exchange().expectStatus().isOk().expectBody(String.class).isEqualTo("ok");
		this.client.get()
			.uri("/mono")
			.exchange()
			.expectStatus()
			.isEqualTo(429)
			.expectHeader()
			.contentType("application/problem+json")
			.expectHeader()
			.valueMatches("Retry-After", "3600|35[0-9]{2}")
			.expectHeader()
			.valueEquals("RateLimit-Policy", "\"mono\";q=1;w=3600")
			.expectHeader()
			.valueMatches("RateLimit", "\"mono\";r=0;t=3[56][0-9]{2}")
			.expectBody()
			.json("""
					{"type": "https://iana.org/assignments/http-problem-types#quota-exceeded",
					 "title": "Quota exceeded", "status": 429, "violated-policies": ["mono"]}""");
	}

	@Test
	void respondsSoWhateverTheClientAccepts() {
		this.client.get().uri("/flux").exchange().expectStatus().isOk().expectBody();
		this.client.get()
			.uri("/flux")
			.header("Accept", "text/html")
			.exchange()
			.expectStatus()
			.isEqualTo(429)
			.expectHeader()
			.contentType("application/problem+json")
			.expectBody();
	}

	@Test
	void countsByTheAddressOfThePeerWhateverItForwards() {
		this.client.get().uri("/peer").exchange().expectStatus().isOk().expectBody();
		this.client.get()
			.uri("/peer")
			.header("X-Forwarded-For", "198.51.100.1")
			.exchange()
			.expectStatus()
			.isEqualTo(429)
			.expectBody();
	}

	@Test
	void countsByThePrincipal() {
		for (String user : new String[] { "alice", "bob" }) {
			this.client.get().uri("/user").header("X-User", user).exchange().expectStatus().isOk().expectBody();
			this.client.get().uri("/user").header("X-User", user).exchange().expectStatus().isEqualTo(429).expectBody();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Application {

		/** Believes whoever says who they are. */
		@Bean
		@Order(-100)
		WebFilter authentication() {
			return (exchange, chain) -> {
				String user = exchange.getRequest().getHeaders().getFirst("X-User");
				Mono<Principal> principal = Mono.justOrEmpty(user).map((name) -> () -> name);
				return chain.filter(exchange.mutate().principal(principal).build());
			};
		}

	}

	@RestController
	static class Controller {

		@GetMapping("/mono")
		@RateLimited("mono")
		Mono<String> mono() {
			return Mono.just("ok");
		}

		@GetMapping("/flux")
		@RateLimited(limit = "1/1h")
		Flux<String> flux() {
			return Flux.just("o", "k");
		}

		@GetMapping("/peer")
		@RateLimited("peer")
		Mono<String> peer() {
			return Mono.just("ok");
		}

		@GetMapping("/user")
		@RateLimited("user")
		Mono<String> user() {
			return Mono.just("ok");
		}

	}

}
