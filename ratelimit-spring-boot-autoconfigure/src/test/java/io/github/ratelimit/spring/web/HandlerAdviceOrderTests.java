package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import jakarta.servlet.Filter;

import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.spring.method.SpringAdvice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limits of handler methods next to other annotations of Spring.
 */
@Tag("long")
class HandlerAdviceOrderTests {

	private static final String ADMIN = "ROLE_ADMIN";

	private static final String USER = "ROLE_USER";

	private static final String[] PROPERTIES = { "ratelimit.store=memory", "ratelimit.policies.two.limits=2/1h" };

	private static final String[] RULE = { "ratelimit.policies.four.limits=4/1h", "ratelimit.rules[0].paths=/**",
			"ratelimit.rules[0].policies=four" };

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
		.withUserConfiguration(SpringAdvice.class, Security.class, Rejections.class, AdvisedController.class)
		.withPropertyValues(PROPERTIES);

	private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(RateLimitContext.WEBFLUX)
		.withUserConfiguration(SpringAdvice.class, ReactiveSecurity.class, Rejections.class, AdvisedController.class)
		.withPropertyValues(PROPERTIES);

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/retried/value", "/retried/mono", "/retried/argument?name=a" })
	void chargesARequestOnceHoweverOftenItIsRetried(String path) {
		onBoth((client, controller) -> {
			assertThat(client.statuses(3, path, USER)).containsExactly(500, 500, 429);
			assertThat(controller.runs()).hasValue(8);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/plain/cached", "/plain/slot", "/plain/transacted", "/plain/started" })
	void chargesARequestOnce(String path) {
		onBoth((client, controller) -> assertThat(client.statuses(3, path, USER)).containsExactly(200, 200, 429));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/secured/value", "/secured/mono" })
	void chargesNothingToACallerWhoIsRefused(String path) {
		this.servlet.run((context) -> chargesOnlyAdmins(path, client(context)));
	}

	@Test
	void chargesNothingToAReactiveCallerWhoIsRefused() {
		this.reactive.run((context) -> chargesOnlyAdmins("/secured/mono", client(context)));
	}

	@Test
	void decidesRulesBeforeTheCallerIsRefused() {
		this.servlet.withPropertyValues(RULE).run((context) -> chargesRuleToAll("/secured/value", client(context)));
		this.reactive.withPropertyValues(RULE).run((context) -> chargesRuleToAll("/secured/mono", client(context)));
	}

	@Test
	void decidesBeforeSecurityWhereConfigured() {
		this.servlet.withPropertyValues("ratelimit.annotation-order=0")
			.run((context) -> assertThat(client(context).statuses(3, "/secured/value", USER)).containsExactly(403, 403,
					429));
	}

	private static void chargesOnlyAdmins(String path, Client client) {
		assertThat(client.statuses(3, path, USER)).containsOnly(403);
		assertThat(client.statuses(3, path, ADMIN)).containsExactly(200, 200, 429);
	}

	private static void chargesRuleToAll(String path, Client client) {
		assertThat(client.statuses(2, path, ADMIN)).containsOnly(200);
		assertThat(client.statuses(3, path, USER)).containsExactly(403, 403, 429);
	}

	private void onBoth(BiConsumer<Client, AdvisedController> test) {
		this.servlet.run((context) -> test.accept(client(context), context.getBean(AdvisedController.class)));
		this.reactive.run((context) -> test.accept(client(context), context.getBean(AdvisedController.class)));
	}

	private static Client client(WebApplicationContext context) {
		MockMvcTester client = MockMvcTester.from(context,
				(mvc) -> mvc.addFilters(context.getBeansOfType(Filter.class).values().toArray(Filter[]::new)).build());
		return (path, role) -> {
			SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("ada", "", role));
			return client.get().uri(path).exchange().getResponse().getStatus();
		};
	}

	private static Client client(ApplicationContext context) {
		WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
		return (path, role) -> client.get()
			.uri(path)
			.header("X-Role", role)
			.exchange()
			.returnResult(Void.class)
			.getStatus()
			.value();
	}

	/**
	 * A client of either kind of application.
	 */
	@FunctionalInterface
	interface Client {

		int status(String path, String role);

		default List<Integer> statuses(int calls, String path, String role) {
			return Stream.generate(() -> status(path, role)).limit(calls).toList();
		}

	}

	@RestControllerAdvice
	static class Rejections {

		@ExceptionHandler(AccessDeniedException.class)
		@ResponseStatus(HttpStatus.FORBIDDEN)
		void refused() {
		}

		@ExceptionHandler(IllegalStateException.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		void failed() {
		}

	}

	@EnableMethodSecurity
	static class Security {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableReactiveMethodSecurity
	static class ReactiveSecurity {

		@Bean
		WebFilter security() {
			return (exchange, chain) -> chain.filter(exchange)
				.contextWrite(ReactiveSecurityContextHolder.withAuthentication(new TestingAuthenticationToken("ada", "",
						String.valueOf(exchange.getRequest().getHeaders().getFirst("X-Role")))));
		}

	}

}
