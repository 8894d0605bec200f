package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.stream.Stream;

import jakarta.servlet.Filter;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.reactive.server.FluxExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;

/**
 * An application on either stack, which limits a method at {@code /method} and a path
 * {@code /rule} to one call an hour.
 */
final class BothStacks {

	private static final String[] PROPERTIES = { "ratelimit.store=memory", "ratelimit.policies.one.limits=1/1h",
			"ratelimit.policies.other.limits=1/1h", "ratelimit.rules[0].paths=/rule",
			"ratelimit.rules[0].policies=other" };

	private BothStacks() {
	}

	static Stream<AbstractApplicationContextRunner<?, ?, ?>> contexts() {
		return Stream.of(
				new WebApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
					.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
					.withPropertyValues(PROPERTIES),
				new ReactiveWebApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
					.withConfiguration(RateLimitContext.WEBFLUX)
					.withPropertyValues(PROPERTIES));
	}

	/** Returns the status and {@code Retry-After} of calls, one after the other. */
	static List<String> responses(ApplicationContext context, String... paths) {
		return Stream.of(paths)
			.map((path) -> (context instanceof WebApplicationContext web) ? response(web, path)
					: response(context, path))
			.toList();
	}

	private static String response(WebApplicationContext context, String path) {
		MvcTestResult result = MockMvcTester
			.from(context,
					(mvc) -> mvc.addFilters(context.getBeansOfType(Filter.class).values().toArray(Filter[]::new))
						.build())
			.get()
			.uri(path)
			.exchange();
		return result.getResponse().getStatus() + " " + result.getResponse().getHeader(HttpHeaders.RETRY_AFTER);
	}

	private static String response(ApplicationContext context, String path) {
		FluxExchangeResult<Void> result = WebTestClient.bindToApplicationContext(context)
			.build()
			.get()
			.uri(path)
			.exchange()
			.returnResult(Void.class);
		return result.getStatus().value() + " " + result.getResponseHeaders().getFirst(HttpHeaders.RETRY_AFTER);
	}

	@RestController
	static class Limited {

		@GetMapping("/method")
		@RateLimited("one")
		String method() {
			return "method";
		}

		@GetMapping("/rule")
		String rule() {
			return "rule";
		}

	}

}
