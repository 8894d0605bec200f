package io.github.ratelimit.spring.web;

import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The responses that an application can customize, from a handler and from a filter
 * alike.
 *
 * @param <R> the runner of applications
 */
abstract class CustomResponseContract<R extends AbstractApplicationContextRunner<R, ?, ?>> {

	final R context;

	private final MockedServer<R> server;

	CustomResponseContract(MockedServer<R> server) {
		this.server = server;
		this.context = server.application()
			.withPropertyValues("ratelimit.policies.one.limits=1/1h", "ratelimit.policies.roomy.limits=9/1h",
					"ratelimit.rules[0].paths=/ruled", "ratelimit.rules[0].policies=one")
			.withBean(Controller.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/one", "/mono", "/ruled" })
	void keepsTheResponseFromAHandlerOfAllExceptions(String path) {
		with(this.context.withBean(CatchAll.class), (client) -> {
			assertThat(client.get(path).status()).isEqualTo(200);
			assertThat(eachWay(client, path)).allSatisfy((denied) -> {
				assertThat(denied.status()).isEqualTo(429);
				assertThat(denied.header("Content-Type")).isEqualTo("application/problem+json");
				assertThat(denied.body()).contains("quota-exceeded");
			});
			Response failure = client.get("/fails");
			assertThat(failure.status()).isEqualTo(500);
			assertThat(failure.body()).isEqualTo("all the same");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/one", "/mono", "/ruled" })
	void leavesTheResponseToAHandlerOfTheApplication(String path) {
		handlesItself(this.context.withBean(OwnAdvice.class), path);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/one", "/mono", "/ruled" })
	void leavesTheResponseToAHandlerOfTheApplicationNextToOneOfAllExceptions(String path) {
		handlesItself(this.context.withBean(CatchAll.class).withBean(OwnAdvice.class), path);
	}

	private void handlesItself(R application, String path) {
		with(application, (client) -> {
			assertThat(client.get(path).status()).isEqualTo(200);
			assertThat(eachWay(client, path)).allSatisfy((denied) -> {
				assertThat(denied.status()).isEqualTo(200);
				assertThat(denied.body()).isEqualTo("not so fast");
			});
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/one", "/mono", "/ruled" })
	void letsABeanOfTheApplicationChangeTheResponse(String path) {
		with(this.context.withBean(RateLimitResponseCustomizer.class, () -> CustomResponseContract::payment),
				(client) -> {
					assertThat(client.get(path).status()).isEqualTo(200);
					assertThat(eachWay(client, path)).allSatisfy((denied) -> {
						assertThat(denied.status()).isEqualTo(402);
						assertThat(denied.header("Retry-After")).isEqualTo("3600");
						assertThat(denied.header("X-Mood")).isEqualTo("calm");
						assertThat(denied.body()).isEqualTo("Quota exceeded");
					});
				});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/one", "/mono", "/ruled" })
	void letsTheBeanChooseTheResponseByTheRequest(String path) {
		with(this.context.withBean(RateLimitResponseCustomizer.class, () -> CustomResponseContract::pageOrProblem),
				(client) -> {
					assertThat(client.get(path + "?page=2").status()).isEqualTo(200);
					Response page = client.get(path + "?page=2", accepting(MediaType.TEXT_HTML));
					assertThat(page.status()).isEqualTo(429);
					assertThat(page.header("Content-Type")).isEqualTo("text/html");
					assertThat(page.body()).isEqualTo("GET " + path + "?page=2");
					assertThat(client.get(path).body()).contains("quota-exceeded");
				});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/own", "/own/mono" })
	void triesTheControllersOwnExceptionHandlerFirst(String path) {
		with(this.context.withBean(OwnController.class), (client) -> {
			assertIsOk(client.get(path), "ok");
			assertThat(eachWay(client, path)).allSatisfy((denied) -> assertIsOk(denied, "mine"));
		});
	}

	@Test
	void triesItForADenialByARuleThatIsOneDecisionWithAnAnnotation() {
		with(this.context.withBean(OwnController.class)
			.withPropertyValues("ratelimit.rules[1].paths=/own/**", "ratelimit.rules[1].policies=one"), (client) -> {
				assertIsOk(client.get("/own/limited"), "ok");
				assertIsOk(client.get("/own/limited"), "mine");
				Response denied = client.get("/own/ruled");
				assertThat(denied.status()).isEqualTo(429);
				assertThat(denied.header("Content-Type")).isEqualTo("application/problem+json");
			});
	}

	@Test
	void addsNoHeadersWhereTheyAreOff() {
		with(this.context.withPropertyValues("ratelimit.http.headers=none"), (client) -> {
			Response admitted = client.get("/one");
			assertThat(admitted.status()).isEqualTo(200);
			assertThat(admitted.header("RateLimit")).isNull();
			Response denied = client.get("/one");
			assertThat(denied.status()).isEqualTo(429);
			assertThat(denied.header("RateLimit")).isNull();
			assertThat(denied.header("Retry-After")).isEqualTo("3600");
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
		with(this.context.withPropertyValues("ratelimit.http.headers=" + headers),
				(client) -> assertThat(List.of(client.get("/one"), client.get("/one")))
					.allSatisfy((response) -> assertThat(response.header(name)).isEqualTo(value))
					.extracting(Response::status)
					.containsExactly(200, 429));
	}

	/** With some seconds of tolerance for the time that the test takes. */
	@Test
	void spreadsRetries() {
		with(this.context.withPropertyValues("ratelimit.http.retry-after-jitter=1m"), (client) -> {
			assertThat(client.get("/one").status()).isEqualTo(200);
			assertThat(Stream.generate(() -> client.get("/one").header("Retry-After"))
				.limit(200)
				.distinct()
				.map(Integer::valueOf)).hasSizeGreaterThan(20)
				.allMatch((seconds) -> seconds >= 3590 && seconds <= 3660);
		});
	}

	private static void assertIsOk(Response response, String body) {
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.body()).isEqualTo(body);
	}

	/** Returns the responses to a client that accepts anything, text or an image. */
	private static List<Response> eachWay(MockedServer.Client client, String path) {
		return List.of(client.get(path), client.get(path, accepting(MediaType.TEXT_HTML)),
				client.get(path, accepting(MediaType.IMAGE_PNG)));
	}

	private static HttpHeaders accepting(MediaType type) {
		HttpHeaders headers = new HttpHeaders();
		headers.setAccept(List.of(type));
		return headers;
	}

	private static ResponseEntity<?> payment(RuntimeException refusal, ResponseEntity<ProblemDetail> standard,
			HttpRequest request) {
		return ResponseEntity.status(HttpStatus.PAYMENT_REQUIRED)
			.headers(standard.getHeaders())
			.header("X-Mood", "calm")
			.contentType(MediaType.TEXT_PLAIN)
			.body(Objects.requireNonNull(standard.getBody()).getTitle());
	}

	private static ResponseEntity<?> pageOrProblem(RuntimeException refusal, ResponseEntity<ProblemDetail> standard,
			HttpRequest request) {
		if (!request.getHeaders().getAccept().contains(MediaType.TEXT_HTML)) {
			return standard;
		}
		URI uri = request.getURI();
		return ResponseEntity.status(standard.getStatusCode())
			.contentType(MediaType.TEXT_HTML)
			.body(request.getMethod() + " " + uri.getPath() + "?" + uri.getQuery());
	}

	final void with(R application, Consumer<MockedServer.Client> test) {
		this.server.run(application, test);
	}

	@RestController
	static class Controller {

		@GetMapping("/one")
		@RateLimited("one")
		String one() {
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

		@GetMapping("/own/mono")
		@RateLimited("one")
		Mono<String> mono() {
			return Mono.just("ok");
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
