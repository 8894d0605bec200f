package io.github.ratelimit.spring.web;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

import jakarta.servlet.Filter;
import jakarta.servlet.RequestDispatcher;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The denials of a servlet application that skip Spring's exception handling. Only their
 * responses have a length.
 */
class ServletDirectDenialsTests {

	private static final long NOON = 1_800_000_000_000_000L;

	private static final String LENGTH = "Content-Length";

	private final WebApplicationContextRunner context = new WebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class,
				HttpMessageConvertersAutoConfiguration.class, WebMvcAutoConfiguration.class))
		.withPropertyValues("ratelimit.policies.one.limits=1/1h,2/1d", "ratelimit.rules[0].paths=/ruled/**",
				"ratelimit.rules[0].policies=one")
		.withBean(Quotes.class)
		.withBean(Controller.class)
		.withBean(RateLimitStore.class, () -> new MemoryRateLimitStore(100, () -> NOON));

	@ParameterizedTest
	@ValueSource(strings = { "/one", "/ruled/a-b_c~e", "/ruled/a.bat", "/ruled/a;b=c.bat", "/ruled/a%2Ebat",
			"/ruled/%41%20", "/ruled/a@b:c,d=e;f+g!h", "/ruled/%22", "/ruled/é", "/ruled/a&b'c", "/nested" })
	void respondsAsSpringDoes(String path) {
		assertThat(denied(this.context, path)).isEqualTo(denied(throughSpring(), path));
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.jackson.serialization.indent-output=true",
			"spring.jackson.property-naming-strategy=SNAKE_CASE", "ratelimit.http.headers=x-ratelimit",
			"ratelimit.http.headers=none", "spring.mvc.problemdetails.enabled=true" })
	void respondsAsSpringDoesWhateverIsConfigured(String property) {
		assertThat(denied(this.context.withPropertyValues(property), "/one"))
			.isEqualTo(denied(throughSpring().withPropertyValues(property), "/one"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/one", "/ruled/1", "/nested" })
	void skipsTheExceptionHandling(String path) {
		assertThat(respond(this.context, path).containsHeader(LENGTH)).isTrue();
		assertThat(respond(throughSpring(), path).containsHeader(LENGTH)).isFalse();
	}

	@Test
	void preparesOneBodyForAllPaths() {
		this.context.run((application) -> {
			MockMvcTester mvc = client(application);
			mvc.get().uri("/ruled/0").exchange();
			String first = mvc.get().uri("/ruled/1").exchange().getResponse().getContentAsString();
			assertThat(mvc.get().uri("/ruled/22").exchange().getResponse().getContentAsString()).contains("/ruled/22")
				.isEqualTo(first.replace("/ruled/1", "/ruled/22"));
		});
	}

	@Test
	void respondsAsSpringDoesToAForwardedRequest() {
		Filter forward = (request, response, chain) -> {
			request.setAttribute(RequestDispatcher.FORWARD_REQUEST_URI, "/one.bat");
			chain.doFilter(request, response);
		};
		List<Object> denied = denied(this.context.withBean(Filter.class, () -> forward), "/one");
		assertThat(denied).isEqualTo(denied(throughSpring().withBean(Filter.class, () -> forward), "/one"));
		assertThat(denied.toString()).contains("Content-Disposition", "f.txt");
	}

	@ParameterizedTest
	@ValueSource(classes = { Advice.class, Bodies.class })
	void leavesTheResponseToTheAdviceOfAParent(Class<?> advice) {
		new ApplicationContextRunner().withBean(advice)
			.run((parent) -> assertThat(isDirect(respond(this.context.withParent(parent), "/one"))).isFalse());
	}

	@ParameterizedTest
	@EnumSource
	void leavesTheResponseToTheApplication(Own own) {
		assertThat(isDirect(respond(own.addTo(this.context), own.path))).isFalse();
	}

	private static boolean isDirect(MockHttpServletResponse response) {
		return response.containsHeader(LENGTH) && String.valueOf(response.getContentType()).contains("problem");
	}

	private WebApplicationContextRunner throughSpring() {
		return this.context.withBean(RateLimitResponseCustomizer.class, () -> (rejection, standard) -> standard);
	}

	/** Returns everything about a denial but its length. */
	private static List<Object> denied(WebApplicationContextRunner application, String path) {
		MockHttpServletResponse response = respond(application, path);
		Map<String, List<String>> headers = new TreeMap<>();
		response.getHeaderNames()
			.forEach((name) -> headers.put(name, response.getHeaders(name).stream().sorted().toList()));
		headers.remove(LENGTH);
		return List.of(response.getStatus(), headers,
				new String(response.getContentAsByteArray(), StandardCharsets.UTF_8));
	}

	private static MockHttpServletResponse respond(WebApplicationContextRunner application, String path) {
		AtomicReference<MockHttpServletResponse> response = new AtomicReference<>();
		application.run((context) -> {
			MockMvcTester mvc = client(context);
			mvc.get().uri(URI.create(path)).exchange();
			response.set(mvc.get().uri(URI.create(path)).exchange().getResponse());
			assertThat(response.get().getStatus()).isEqualTo(429);
		});
		return response.get();
	}

	private static MockMvcTester client(WebApplicationContext context) {
		return MockMvcTester.from(context,
				(builder) -> builder
					.addFilters(context.getBeanProvider(Filter.class).orderedStream().toArray(Filter[]::new))
					.build());
	}

	/** A part of an application that may change the response to a denial. */
	enum Own {

		CUSTOMIZER("/one", RateLimitResponseCustomizer.class, (rejection, standard) -> standard),

		ADVICE_OF_BODIES("/one", Bodies.class, new Bodies()),

		ADVICE("/one", Advice.class, new Advice()),

		HANDLER_IN_THE_CONTROLLER("/own", OwnController.class, new OwnController()),

		RESOLVER("/one", HandlerExceptionResolver.class, (request, response, handler, ex) -> null),

		INTERCEPTOR("/one", WebMvcConfigurer.class, new WebMvcConfigurer() {

			@Override
			public void addErrorResponseInterceptors(List<ErrorResponse.Interceptor> interceptors) {
				interceptors.add((problem, response) -> problem.setTitle("Changed"));
			}

		}),

		RESOLVERS("/one", WebMvcConfigurer.class, new WebMvcConfigurer() {

			@Override
			public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
				resolvers.add(0, (request, response, handler, ex) -> null);
			}

		});

		private final String path;

		private final Class<Object> type;

		private final Object bean;

		@SuppressWarnings("unchecked")
		<T> Own(String path, Class<T> type, T bean) {
			this.path = path;
			this.type = (Class<Object>) type;
			this.bean = bean;
		}

		WebApplicationContextRunner addTo(WebApplicationContextRunner application) {
			return application.withBean(name(), this.type, () -> this.bean);
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

	@ControllerAdvice
	static class Bodies implements ResponseBodyAdvice<Object> {

		@Override
		public boolean supports(MethodParameter type, Class<? extends HttpMessageConverter<?>> converter) {
			return true;
		}

		@Override
		@SuppressWarnings("checkstyle:ParameterNumber")
		public @Nullable Object beforeBodyWrite(@Nullable Object body, MethodParameter type, MediaType content,
				Class<? extends HttpMessageConverter<?>> converter, ServerHttpRequest request,
				ServerHttpResponse response) {
			return body;
		}

	}

}
