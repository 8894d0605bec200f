package io.github.ratelimit.spring.openapi;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** The code that the documentation shows. */
@Tag("long")
class OpenApiPageTests {

	@Test
	void documentsTheOperation() {
		WebApplicationContextRunner application = new WebApplicationContextRunner(
				AnnotationConfigServletWebServerApplicationContext::new)
			.withUserConfiguration(Application.class)
			.withPropertyValues("server.port=0", "server.address=127.0.0.1", "ratelimit.store=memory",
					"ratelimit.policies.quotes.limits=100/1m, 1000/1d", "ratelimit.policies.quotes.key=client-ip",
					"ratelimit.policies.everyone.limits=1000/1s", "ratelimit.rules[0].paths=/quotes/**",
					"ratelimit.rules[0].policies=everyone");
		OpenApiApplication.read(application, "/v3/api-docs",
				(document) -> assertThat(document.part("/quotes/{id}", "get", "x-ratelimit"))
					.isEqualTo(List.of(Map.of("policy", "quotes", "limits", List.of("100/1m", "1000/1d")),
							Map.of("policy", "everyone", "limits", List.of("1000/1s")))));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(QuoteController.class)
	static class Application {

	}

}
