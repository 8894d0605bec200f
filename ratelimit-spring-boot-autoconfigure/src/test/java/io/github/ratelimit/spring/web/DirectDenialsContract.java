package io.github.ratelimit.spring.web;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The denials that skip Spring's exception handling. Their bodies are encoded once.
 *
 * @param <R> the runner of applications
 */
abstract class DirectDenialsContract<R extends AbstractApplicationContextRunner<R, ?, ?>> {

	private static final long NOON = 1_800_000_000_000_000L;

	private static final int DENIALS = 3;

	final R context;

	private final MockedServer<R> server;

	private final Set<String> headersOfDirectDenials;

	private final AtomicInteger encoded = new AtomicInteger();

	/**
	 * Creates a test.
	 * @param server what serves the application
	 * @param headersOfDirectDenials the headers that other denials have not
	 */
	DirectDenialsContract(MockedServer<R> server, String... headersOfDirectDenials) {
		this.server = server;
		this.headersOfDirectDenials = Set.of(headersOfDirectDenials);
		this.context = server.application()
			.withPropertyValues("ratelimit.policies.one.limits=1/1h,2/1d", "ratelimit.rules[0].paths=/ruled/**",
					"ratelimit.rules[0].policies=one")
			.withBean(JsonMapperBuilderCustomizer.class, () -> this::countBodies)
			.withBean(Quotes.class)
			.withBean(Controller.class)
			.withBean(RateLimitStore.class, () -> new MemoryRateLimitStore(100, () -> NOON));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/one", "/mono", "/ruled/a-b_c~e", "/ruled/a-b_c.d~e", "/ruled/a.bat", "/ruled/a;b=c.bat",
			"/ruled/a%2Ebat", "/ruled/%41%20", "/ruled/a@b:c,d=e;f+g!h", "/ruled/%22", "/ruled/é", "/ruled/a&b'c",
			"/nested" })
	void respondsAsSpringDoes(String path) {
		assertThat(denied(this.context, path)).isEqualTo(denied(throughSpring(), path));
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.jackson.serialization.indent-output=true",
			"spring.jackson.property-naming-strategy=SNAKE_CASE", "ratelimit.http.headers=x-ratelimit",
			"ratelimit.http.headers=none", "spring.mvc.problemdetails.enabled=true",
			"spring.webflux.problemdetails.enabled=true" })
	void respondsAsSpringDoesWhateverIsConfigured(String property) {
		assertThat(denied(this.context.withPropertyValues(property), "/one"))
			.isEqualTo(denied(throughSpring().withPropertyValues(property), "/one"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/one", "/mono", "/ruled/1" })
	void skipsTheExceptionHandling(String path) {
		assertSkipsTheExceptionHandling(path);
	}

	final void assertSkipsTheExceptionHandling(String path) {
		assertThat(denial(this.context, path).headers().headerNames()).containsAll(this.headersOfDirectDenials);
		assertThat(this.encoded).hasValue(1);
		assertThat(denial(throughSpring(), path).headers().headerNames())
			.noneMatch(this.headersOfDirectDenials::contains);
		assertThat(this.encoded).hasValue(1 + DENIALS);
	}

	@Test
	void preparesOneBodyForAllPaths() {
		this.server.run(this.context, (client) -> {
			client.get("/ruled/0");
			String first = client.get("/ruled/1").body();
			assertThat(client.get("/ruled/22").body()).contains("/ruled/22")
				.isEqualTo(first.replace("/ruled/1", "/ruled/22"));
		});
		assertThat(this.encoded).hasValue(1);
	}

	static Stream<Own<?>> leavesTheResponseToTheApplication() {
		return Stream.of(
				new Own<>("/one", RateLimitResponseCustomizer.class,
						(rejection, standard, request) -> ResponseEntity.status(429).body("mine")),
				new Own<>("/one", Advice.class, new Advice()),
				new Own<>("/own", OwnController.class, new OwnController()));
	}

	@ParameterizedTest
	@MethodSource
	void leavesTheResponseToTheApplication(Own<?> own) {
		assertThat(denial(own.addTo(this.context), own.path()).body()).isEqualTo("mine");
	}

	final R throughSpring() {
		return this.context.withBean(RateLimitResponseCustomizer.class,
				() -> (rejection, standard, request) -> standard);
	}

	/** Counts the problem details that are encoded. */
	private void countBodies(JsonMapper.Builder builder) {
		builder.addModule(new SimpleModule().addSerializer(URI.class, new ValueSerializer<>() {

			@Override
			public void serialize(URI value, JsonGenerator generator, SerializationContext context) {
				DirectDenialsContract.this.encoded.addAndGet(value.isAbsolute() ? 1 : 0);
				generator.writeString(value.toString());
			}

		}));
	}

	/** Returns everything about a denial that does not depend on its way. */
	final List<Object> denied(R application, String path) {
		Response response = denial(application, path);
		Map<String, List<String>> headers = new TreeMap<>();
		response.headers().forEach((name, values) -> headers.put(name, values.stream().sorted().toList()));
		headers.keySet().removeAll(this.headersOfDirectDenials);
		return List.of(response.status(), headers, response.body());
	}

	/** Returns the last of some denials. */
	final Response denial(R application, String path) {
		AtomicReference<Response> last = new AtomicReference<>();
		this.server.run(application, (client) -> {
			client.get(path);
			for (int i = 0; i < DENIALS; i++) {
				last.set(client.get(path));
				assertThat(last.get().status()).isEqualTo(429);
			}
		});
		return last.get();
	}

	/**
	 * A part of an application that may change the response to a denial.
	 *
	 * @param <T> the type of the bean
	 * @param path the path that is denied
	 * @param type the type of the bean
	 * @param bean the bean
	 */
	record Own<T>(String path, Class<T> type, T bean) {

		<R extends AbstractApplicationContextRunner<R, ?, ?>> R addTo(R application) {
			return application.withBean("own", this.type, () -> this.bean);
		}

	}

	@RestController
	static class Controller {

		private final Quotes quotes;

		Controller(Quotes quotes) {
			this.quotes = quotes;
		}

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

		@GetMapping("/nested")
		String nested() {
			return this.quotes.quote();
		}

	}

	static class Quotes {

		@RateLimited("one")
		String quote() {
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
		ResponseEntity<String> handle(Exception ex) {
			return ResponseEntity.status(429).body("mine");
		}

	}

	@Order(0)
	@ControllerAdvice
	static class Advice {

		@ExceptionHandler
		ResponseEntity<String> handle(RateLimitExceededException ex) {
			return ResponseEntity.status(429).body("mine");
		}

	}

}
