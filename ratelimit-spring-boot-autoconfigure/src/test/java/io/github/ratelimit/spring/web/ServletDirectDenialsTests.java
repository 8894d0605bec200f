package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.stream.Stream;

import jakarta.servlet.Filter;
import jakarta.servlet.RequestDispatcher;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Direct denials of Spring MVC. Only their responses have a length.
 */
@Tag("long")
class ServletDirectDenialsTests extends DirectDenialsContract<WebApplicationContextRunner> {

	private static final String LENGTH = "Content-Length";

	ServletDirectDenialsTests() {
		super(MockedServer.SERVLET, LENGTH);
	}

	@Test
	void skipsTheExceptionHandlingForAnotherBeanThanTheController() {
		assertSkipsTheExceptionHandling("/nested");
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
			.run((parent) -> assertThat(isDirect(denial(this.context.withParent(parent), "/one"))).isFalse());
	}

	static Stream<Own<?>> leavesTheResponseToPartsThatChangeNothing() {
		return Stream.of(
				new Own<>("/one", RateLimitResponseCustomizer.class, (rejection, standard, request) -> standard),
				new Own<>("/one", Bodies.class, new Bodies()),
				new Own<>("/one", HandlerExceptionResolver.class, (request, response, handler, ex) -> null),
				new Own<>("/one", WebMvcConfigurer.class, new Interceptors()),
				new Own<>("/one", WebMvcConfigurer.class, new Resolvers()));
	}

	@ParameterizedTest
	@MethodSource
	void leavesTheResponseToPartsThatChangeNothing(Own<?> own) {
		assertThat(isDirect(denial(own.addTo(this.context), own.path()))).isFalse();
	}

	private static boolean isDirect(Response response) {
		return response.header(LENGTH) != null && String.valueOf(response.header("Content-Type")).contains("problem");
	}

	static class Interceptors implements WebMvcConfigurer {

		@Override
		public void addErrorResponseInterceptors(List<ErrorResponse.Interceptor> interceptors) {
			interceptors.add((problem, response) -> problem.setTitle("Changed"));
		}

	}

	static class Resolvers implements WebMvcConfigurer {

		@Override
		public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
			resolvers.add(0, (request, response, handler, ex) -> null);
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
