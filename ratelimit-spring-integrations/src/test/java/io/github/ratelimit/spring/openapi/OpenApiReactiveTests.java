package io.github.ratelimit.spring.openapi;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.reactive.context.AnnotationConfigReactiveWebServerApplicationContext;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/** Documents of a WebFlux application. */
@Tag("long")
class OpenApiReactiveTests {

	private final ReactiveWebApplicationContextRunner application = new ReactiveWebApplicationContextRunner(
			AnnotationConfigReactiveWebServerApplicationContext::new)
		.withUserConfiguration(OpenApiApplication.class)
		.withPropertyValues("server.port=0", "server.address=127.0.0.1", "ratelimit.store=memory",
				"ratelimit.policies.quotes.limits=100/1m, 1000/1d", "ratelimit.policies.writes.limits=10/1m",
				"ratelimit.policies.writes.on-store-failure=deny", "ratelimit.policies.secret.limits=5/1m",
				"ratelimit.rules[0].paths=/quotes/*", "ratelimit.rules[0].policies=writes");

	@Test
	void documentsAnnotationsAndRules() {
		read("/v3/api-docs", (document) -> {
			assertThat(document.part("/quotes", "get", "x-ratelimit"))
				.isEqualTo(List.of(Map.of("policy", "quotes", "limits", List.of("100/1m", "1000/1d"))));
			assertThat(document.keys("/quotes", "get", "responses", "429", "headers"))
				.containsExactlyInAnyOrder("Retry-After", "RateLimit", "RateLimit-Policy");
			assertThat(document.policies("/quotes/{id}", "get")).containsExactly("writes");
			assertThat(document.keys("/quotes/{id}", "get", "responses")).containsExactly("200", "429", "503");
			assertThat(document.keys("/orders/{id}", "delete", "responses")).containsExactly("200", "429", "503");
		});
	}

	@Test
	void ignoresThePathOfAServletAndTheBasePath() {
		read("/base/v3/api-docs",
				(document) -> assertThat(document.policies("/quotes/{id}", "get")).containsExactly("writes"),
				"spring.mvc.servlet.path=/app", "spring.webflux.base-path=/base");
	}

	private void read(String uri, Consumer<OpenApiDocument> assertions, String... properties) {
		this.application.withPropertyValues(properties).run((context) -> {
			WebServer server = context
				.getSourceApplicationContext(AnnotationConfigReactiveWebServerApplicationContext.class)
				.getWebServer();
			String document = RestClient.create("http://127.0.0.1:" + Objects.requireNonNull(server).getPort())
				.get()
				.uri(uri)
				.retrieve()
				.body(String.class);
			assertions.accept(new OpenApiDocument(JsonPath.parse(document)));
		});
	}

}
