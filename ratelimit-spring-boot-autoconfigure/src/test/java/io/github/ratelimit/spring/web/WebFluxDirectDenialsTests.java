package io.github.ratelimit.spring.web;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.core.Ordered;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The denials of a reactive application that skip Spring's exception handling. Their
 * bodies are encoded once.
 */
class WebFluxDirectDenialsTests {

	private static final long NOON = 1_800_000_000_000_000L;

	private static final int DENIALS = 3;

	private final AtomicInteger encoded = new AtomicInteger();

	private final ReactiveWebApplicationContextRunner context = new ReactiveWebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class, CodecsAutoConfiguration.class,
				WebFluxAutoConfiguration.class, HttpHandlerAutoConfiguration.class))
		.withPropertyValues("ratelimit.policies.one.limits=1/1h,2/1d", "ratelimit.rules[0].paths=/ruled/**",
				"ratelimit.rules[0].policies=one")
		.withBean(JsonMapperBuilderCustomizer.class, () -> this::countBodies)
		.withBean(Controller.class)
		.withBean(RateLimitStore.class, () -> new MemoryRateLimitStore(100, () -> NOON));

	@ParameterizedTest
	@ValueSource(strings = { "/one", "/mono", "/ruled/a-b_c.d~e", "/ruled/%41%20", "/ruled/a@b:c,d=e;f+g!h",
			"/ruled/%22", "/ruled/a&b'c" })
	void respondsAsSpringDoes(String path) {
		assertThat(denied(this.context, path)).isEqualTo(denied(throughSpring(), path));
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.jackson.serialization.indent-output=true",
			"spring.jackson.property-naming-strategy=SNAKE_CASE", "ratelimit.http.headers=x-ratelimit",
			"ratelimit.http.headers=none", "spring.webflux.problemdetails.enabled=true" })
	void respondsAsSpringDoesWhateverIsConfigured(String property) {
		assertThat(denied(this.context.withPropertyValues(property), "/one"))
			.isEqualTo(denied(throughSpring().withPropertyValues(property), "/one"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/one", "/mono", "/ruled/1" })
	void skipsTheExceptionHandling(String path) {
		denied(this.context, path);
		assertThat(this.encoded).hasValue(1);
		denied(throughSpring(), path);
		assertThat(this.encoded).hasValue(1 + DENIALS);
	}

	@ParameterizedTest
	@EnumSource
	void leavesTheResponseToTheApplication(Own own) {
		AtomicReference<Object> body = new AtomicReference<>();
		own.addTo(this.context).run((application) -> {
			WebTestClient client = WebTestClient.bindToApplicationContext(application).build();
			get(client, own.path);
			body.set(String.valueOf(get(client, own.path).getResponseBody()));
		});
		assertThat(body).hasValue("mine");
	}

	private ReactiveWebApplicationContextRunner throughSpring() {
		return this.context.withBean(RateLimitResponseCustomizer.class, () -> (rejection, standard) -> standard);
	}

	/** Counts the problem details that are encoded. */
	private void countBodies(JsonMapper.Builder builder) {
		builder.addModule(new SimpleModule().addSerializer(URI.class, new ValueSerializer<>() {

			@Override
			public void serialize(URI value, JsonGenerator generator, SerializationContext context) {
				WebFluxDirectDenialsTests.this.encoded.addAndGet(value.isAbsolute() ? 1 : 0);
				generator.writeString(value.toString());
			}

		}));
	}

	/** Returns everything about a denial. */
	private static List<Object> denied(ReactiveWebApplicationContextRunner application, String path) {
		AtomicReference<List<Object>> denied = new AtomicReference<>();
		application.run((context) -> {
			WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
			get(client, path);
			for (int i = 0; i < DENIALS; i++) {
				EntityExchangeResult<String> response = get(client, path);
				assertThat(response.getStatus().value()).isEqualTo(429);
				Map<String, List<String>> headers = new TreeMap<>();
				response.getResponseHeaders().forEach(headers::put);
				denied.set(List.of(headers, String.valueOf(response.getResponseBody())));
			}
		});
		return denied.get();
	}

	private static EntityExchangeResult<String> get(WebTestClient client, String path) {
		return client.get().uri(URI.create(path)).exchange().expectBody(String.class).returnResult();
	}

	/** A part of an application that changes the response to a denial. */
	enum Own {

		CUSTOMIZER("/one", RateLimitResponseCustomizer.class,
				(rejection, standard) -> ResponseEntity.status(429).body("mine")),

		ADVICE("/one", Advice.class, new Advice()),

		HANDLER_IN_THE_CONTROLLER("/own", OwnController.class, new OwnController()),

		RESULT_HANDLER("/one", HandlerResultHandler.class, new Results());

		private final String path;

		private final Class<Object> type;

		private final Object bean;

		@SuppressWarnings("unchecked")
		<T> Own(String path, Class<T> type, T bean) {
			this.path = path;
			this.type = (Class<Object>) type;
			this.bean = bean;
		}

		ReactiveWebApplicationContextRunner addTo(ReactiveWebApplicationContextRunner application) {
			return application.withBean(name(), this.type, () -> this.bean);
		}

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

		@GetMapping("/ruled/{text}")
		String ruled() {
			return "ok";
		}

	}

	@RestController
	static class OwnController {

		@GetMapping("/own")
		@RateLimited("one")
		String own() {
			return "ok";
		}

		@ExceptionHandler
		String handle(Exception ex) {
			return "mine";
		}

	}

	@ControllerAdvice
	static class Advice {

		@ExceptionHandler
		ResponseEntity<String> handle(RateLimitExceededException ex) {
			return ResponseEntity.status(429).body("mine");
		}

	}

	/** Writes responses of its own kind before Spring does. */
	static class Results implements HandlerResultHandler, Ordered {

		@Override
		public boolean supports(HandlerResult result) {
			return result.getReturnValue() instanceof ResponseEntity<?>;
		}

		@Override
		public Mono<Void> handleResult(ServerWebExchange exchange, HandlerResult result) {
			return exchange.getResponse()
				.writeWith(Mono
					.just(exchange.getResponse().bufferFactory().wrap("mine".getBytes(StandardCharsets.UTF_8))));
		}

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

	}

}
