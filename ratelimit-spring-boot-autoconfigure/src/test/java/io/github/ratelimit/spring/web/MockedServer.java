package io.github.ratelimit.spring.web;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import jakarta.servlet.Filter;

import io.github.ratelimit.autoconfigure.RateLimitContext;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.context.WebApplicationContext;

/**
 * Spring MVC or WebFlux without a server.
 *
 * @param <R> the runner of applications
 * @param application an application that has no limits yet
 * @param calls starts an application and gives a test its client
 */
record MockedServer<R extends AbstractApplicationContextRunner<R, ?, ?>>(R application,
		BiConsumer<R, Consumer<Client>> calls) {

	static final MockedServer<WebApplicationContextRunner> SERVLET = new MockedServer<>(
			new WebApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
				.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class,
						HttpMessageConvertersAutoConfiguration.class, WebMvcAutoConfiguration.class)),
			(application, test) -> application.run((context) -> test.accept(servletClient(context))));

	static final MockedServer<ReactiveWebApplicationContextRunner> REACTIVE = new MockedServer<>(
			new ReactiveWebApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
				.withConfiguration(RateLimitContext.WEBFLUX),
			(application, test) -> application.run((context) -> test.accept(reactiveClient(context))));

	private static Client servletClient(WebApplicationContext context) {
		MockMvcTester mvc = MockMvcTester.from(context,
				(builder) -> builder
					.addFilters(context.getBeanProvider(Filter.class).orderedStream().toArray(Filter[]::new))
					.build());
		return (path, headers) -> response(mvc.get().uri(URI.create(path)).headers(headers).exchange().getResponse());
	}

	private static Response response(MockHttpServletResponse response) {
		HttpHeaders headers = new HttpHeaders();
		response.getHeaderNames().forEach((name) -> headers.addAll(name, response.getHeaders(name)));
		return new Response(response.getStatus(), text(response.getContentAsByteArray()), headers);
	}

	private static Client reactiveClient(ApplicationContext context) {
		WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
		return (path,
				headers) -> response(client.get()
					.uri(URI.create(path))
					.headers((request) -> request.addAll(headers))
					.exchange()
					.expectBody()
					.returnResult());
	}

	private static Response response(EntityExchangeResult<byte[]> result) {
		byte[] body = result.getResponseBodyContent();
		return new Response(result.getStatus().value(), (body != null) ? text(body) : "", result.getResponseHeaders());
	}

	private static String text(byte[] body) {
		return new String(body, StandardCharsets.UTF_8);
	}

	/** Starts an application and calls it. */
	void run(R application, Consumer<Client> test) {
		this.calls.accept(application, test);
	}

	/** A client of the application that runs. */
	interface Client {

		Response get(String path, HttpHeaders headers);

		default Response get(String path) {
			return get(path, new HttpHeaders());
		}

	}

}
