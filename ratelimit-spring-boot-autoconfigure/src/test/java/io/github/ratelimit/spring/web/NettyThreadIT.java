package io.github.ratelimit.spring.web;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The threads of a real Netty that serve limited requests.
 */
class NettyThreadIT {

	@ParameterizedTest
	@ValueSource(strings = { "/limited", "/ruled" })
	void servesARequestOnTheEventLoopOfItsConnection(String path) {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.REACTIVE)
			.properties("server.port=0", "ratelimit.policies.roomy.limits=100/1h", "ratelimit.rules[0].paths=/ruled",
					"ratelimit.rules[0].policies=roomy")
			.run()) {
			WebTestClient client = WebTestClient.bindToServer()
				.baseUrl("http://localhost:" + application.getEnvironment().getRequiredProperty("local.server.port"))
				.build();
			assertThat(client.get().uri(path).exchange().expectBody(String.class).returnResult().getResponseBody())
				.startsWith("reactor-http");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Application {

		@Bean
		TestStore store() {
			return new TestStore().decideLater();
		}

	}

	@RestController
	static class Controller {

		@GetMapping("/limited")
		@RateLimited("roomy")
		String limited() {
			return ruled();
		}

		@GetMapping("/ruled")
		String ruled() {
			return Thread.currentThread().getName();
		}

	}

}
