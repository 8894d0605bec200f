package io.github.ratelimit.spring.web;

import java.util.Objects;
import java.util.function.BiConsumer;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The responses that an application on WebFlux can customize, from a handler and from a
 * filter alike.
 */
class WebFluxCustomResponseTests {

	private final ReactiveWebApplicationContextRunner context = new ReactiveWebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class, CodecsAutoConfiguration.class,
				WebFluxAutoConfiguration.class, HttpHandlerAutoConfiguration.class))
		.withPropertyValues("ratelimit.policies.one.limits=1/1h", "ratelimit.rules[0].paths=/ruled,/ruled-thread",
				"ratelimit.rules[0].policies=one")
		.withBean(Controller.class);

	@ParameterizedTest
	@ValueSource(strings = { "/plain", "/mono", "/ruled" })
	void keepsTheResponseFromAHandlerOfAllExceptions(String path) {
		with(this.context.withBean(CatchAll.class), (client, beans) -> {
			assertThat(get(client, path).getStatus().value()).isEqualTo(200);
			EntityExchangeResult<String> denied = get(client, path);
			assertThat(denied.getStatus().value()).isEqualTo(429);
			assertThat(denied.getResponseBody()).contains("quota-exceeded");
			assertThat(get(client, "/fails").getResponseBody()).isEqualTo("all the same");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/plain", "/mono", "/ruled" })
	void leavesTheResponseToAHandlerOfTheApplication(String path) {
		with(this.context.withBean(OwnAdvice.class), (client, beans) -> {
			assertThat(get(client, path).getStatus().value()).isEqualTo(200);
			assertThat(get(client, path).getResponseBody()).isEqualTo("not so fast");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/plain", "/mono", "/ruled" })
	void letsABeanOfTheApplicationChangeTheResponse(String path) {
		with(this.context.withBean(RateLimitResponseCustomizer.class, () -> WebFluxCustomResponseTests::payment),
				(client, beans) -> {
					assertThat(get(client, path).getStatus().value()).isEqualTo(200);
					EntityExchangeResult<String> denied = get(client, path);
					assertThat(denied.getStatus().value()).isEqualTo(402);
					assertThat(denied.getResponseHeaders().getFirst("Retry-After")).isEqualTo("3600");
					assertThat(denied.getResponseBody()).isEqualTo("Quota exceeded");
				});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/own", "/own-mono" })
	void triesTheControllersOwnExceptionHandlerFirst(String path) {
		with(this.context.withBean(OwnController.class), (client, beans) -> {
			assertThat(get(client, path).getResponseBody()).isEqualTo("ok");
			assertThat(get(client, path).getResponseBody()).isEqualTo("mine");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/thread", "/ruled-thread" })
	void servesNoRequestOnAThreadOfTheStore(String path) {
		with(this.context.withBean(RateLimitStore.class, () -> new TestStore().decideLater()), (client, beans) -> {
			assertThat(get(client, path).getResponseBody()).isNotBlank().isNotEqualTo(TestStore.THREAD);
			assertThat(get(client, path).getStatus().value()).isEqualTo(429);
		});
	}

	private static ResponseEntity<?> payment(RuntimeException refusal, ResponseEntity<ProblemDetail> standard) {
		return ResponseEntity.status(HttpStatus.PAYMENT_REQUIRED)
			.headers(standard.getHeaders())
			.contentType(MediaType.TEXT_PLAIN)
			.body(Objects.requireNonNull(standard.getBody()).getTitle());
	}

	private static void with(ReactiveWebApplicationContextRunner application,
			BiConsumer<WebTestClient, ApplicationContext> test) {
		application.run((context) -> test.accept(WebTestClient.bindToApplicationContext(context).build(), context));
	}

	private static EntityExchangeResult<String> get(WebTestClient client, String path) {
		return client.get().uri(path).header("Accept", "text/html").exchange().expectBody(String.class).returnResult();
	}

	@RestController
	static class Controller {

		@GetMapping("/plain")
		@RateLimited("one")
		String plain() {
			return "ok";
		}

		@GetMapping("/mono")
		@RateLimited("one")
		Mono<String> mono() {
			return Mono.just("ok");
		}

		@GetMapping("/ruled")
		String ruled() {
			return "ok";
		}

		@GetMapping("/thread")
		@RateLimited("one")
		String thread() {
			return Thread.currentThread().getName();
		}

		@GetMapping("/ruled-thread")
		String ruledThread() {
			return Thread.currentThread().getName();
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

		@GetMapping("/own-mono")
		@RateLimited("one")
		Mono<String> mono() {
			return Mono.just("ok");
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
	static class OwnAdvice {

		@ExceptionHandler
		ResponseEntity<String> handle(RateLimitExceededException ex) {
			return ResponseEntity.ok("not so fast");
		}

	}

}
