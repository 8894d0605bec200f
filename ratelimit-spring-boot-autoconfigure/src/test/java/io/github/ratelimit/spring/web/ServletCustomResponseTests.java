package io.github.ratelimit.spring.web;

import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

import jakarta.servlet.Filter;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The responses that an application can customize, from a handler and from a filter
 * alike.
 */
class ServletCustomResponseTests {

	private final WebApplicationContextRunner context = new WebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class,
				HttpMessageConvertersAutoConfiguration.class, WebMvcAutoConfiguration.class))
		.withPropertyValues("ratelimit.policies.one.limits=1/1h", "ratelimit.policies.roomy.limits=9/1h",
				"ratelimit.rules[0].paths=/ruled", "ratelimit.rules[0].policies=one")
		.withBean(Controller.class);

	@ParameterizedTest
	@ValueSource(strings = { "/one", "/ruled" })
	void keepsTheResponseFromAHandlerOfAllExceptions(String path) {
		with(this.context.withBean(CatchAll.class), (mvc) -> {
			assertThat(mvc.get().uri(path)).hasStatusOk();
			assertThat(mvc.get().uri(path)).hasStatus(429).hasContentType("application/problem+json");
			assertThat(mvc.get().uri("/fails")).hasStatus(500).bodyText().isEqualTo("all the same");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/one", "/ruled" })
	void leavesTheResponseToAHandlerOfTheApplicationNextToOneOfAllExceptions(String path) {
		with(this.context.withBean(CatchAll.class).withBean(OwnAdvice.class), (mvc) -> {
			assertThat(mvc.get().uri(path)).hasStatusOk();
			assertThat(mvc.get().uri(path)).hasStatusOk().bodyText().isEqualTo("not so fast");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/one", "/ruled" })
	void letsABeanOfTheApplicationChangeTheResponse(String path) {
		with(this.context.withBean(RateLimitResponseCustomizer.class, () -> ServletCustomResponseTests::payment),
				(mvc) -> {
					assertThat(mvc.get().uri(path)).hasStatusOk();
					assertThat(mvc.get().uri(path).header("Accept", "image/png")).hasStatus(402)
						.hasHeader("Retry-After", "3600")
						.hasHeader("X-Mood", "calm")
						.bodyText()
						.isEqualTo("Quota exceeded");
				});
	}

	@Test
	void triesTheControllersOwnExceptionHandlerFirst() {
		with(this.context.withBean(OwnController.class), (mvc) -> {
			assertThat(mvc.get().uri("/own")).hasStatusOk().bodyText().isEqualTo("ok");
			assertThat(mvc.get().uri("/own")).hasStatusOk().bodyText().isEqualTo("mine");
		});
	}

	@Test
	void triesItForADenialByARuleThatIsOneDecisionWithAnAnnotation() {
		with(this.context.withBean(OwnController.class)
			.withPropertyValues("ratelimit.rules[1].paths=/own/**", "ratelimit.rules[1].policies=one"), (mvc) -> {
				assertThat(mvc.get().uri("/own/limited")).hasStatusOk().bodyText().isEqualTo("ok");
				assertThat(mvc.get().uri("/own/limited")).hasStatusOk().bodyText().isEqualTo("mine");
				assertThat(mvc.get().uri("/own/ruled")).hasStatus(429).hasContentType("application/problem+json");
			});
	}

	@Test
	void addsNoHeadersWhereTheyAreOff() {
		with(this.context.withPropertyValues("ratelimit.http.headers=none"), (mvc) -> {
			assertThat(mvc.get().uri("/one")).hasStatusOk().doesNotContainHeader("RateLimit");
			assertThat(mvc.get().uri("/one")).hasStatus(429)
				.doesNotContainHeader("RateLimit")
				.hasHeader("Retry-After", "3600");
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			x-ratelimit | X-RateLimit-Remaining | 0
			draft-6     | RateLimit-Reset       | 3600
			draft-7     | RateLimit             | limit=1, remaining=0, reset=3600
			draft-11    | RateLimit             | "one";r=0;t=3600
			""")
	void speaksTheDialectThatIsConfigured(String headers, String name, String value) {
		with(this.context.withPropertyValues("ratelimit.http.headers=" + headers), (mvc) -> {
			assertThat(mvc.get().uri("/one")).hasStatusOk().hasHeader(name, value);
			assertThat(mvc.get().uri("/one")).hasStatus(429).hasHeader(name, value);
		});
	}

	/** With some seconds of tolerance for the time that the test takes. */
	@Test
	void spreadsRetries() {
		with(this.context.withPropertyValues("ratelimit.http.retry-after-jitter=1m"), (mvc) -> {
			assertThat(mvc.get().uri("/one")).hasStatusOk();
			assertThat(Stream.generate(() -> mvc.get().uri("/one").exchange().getResponse().getHeader("Retry-After"))
				.limit(200)
				.distinct()
				.map(Integer::valueOf)).hasSizeGreaterThan(20)
				.allMatch((seconds) -> seconds >= 3590 && seconds <= 3660);
		});
	}

	private static ResponseEntity<?> payment(RuntimeException refusal, ResponseEntity<ProblemDetail> standard) {
		return ResponseEntity.status(HttpStatus.PAYMENT_REQUIRED)
			.headers(standard.getHeaders())
			.header("X-Mood", "calm")
			.contentType(MediaType.TEXT_PLAIN)
			.body(Objects.requireNonNull(standard.getBody()).getTitle());
	}

	private static void with(WebApplicationContextRunner application, Consumer<MockMvcTester> test) {
		application.run((context) -> test.accept(MockMvcTester.from(context,
				(builder) -> builder
					.addFilters(context.getBeanProvider(Filter.class).orderedStream().toArray(Filter[]::new))
					.build())));
	}

	@RestController
	static class Controller {

		@GetMapping("/one")
		@RateLimited("one")
		String one() {
			return "ok";
		}

		@GetMapping("/ruled")
		String ruled() {
			return "ok";
		}

		@GetMapping("/fails")
		String fail() {
			throw new IllegalStateException("wrong");
		}

	}

	@RestController
	static class OwnController {

		@GetMapping("/own")
		@RateLimited("one")
		String own() {
			return "ok";
		}

		@GetMapping("/own/limited")
		@RateLimited("roomy")
		String limited() {
			return "ok";
		}

		@GetMapping("/own/ruled")
		String ruled() {
			return "ok";
		}

		@ExceptionHandler
		String handle(RateLimitExceededException ex) {
			return "mine";
		}

	}

	@ControllerAdvice
	static class CatchAll {

		@ExceptionHandler(Exception.class)
		ResponseEntity<String> handle() {
			return ResponseEntity.internalServerError().body("all the same");
		}

	}

	@ControllerAdvice
	@Order(0)
	static class OwnAdvice {

		@ExceptionHandler
		@ResponseBody
		String handle(RateLimitExceededException ex) {
			return "not so fast";
		}

	}

}
