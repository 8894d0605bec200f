package io.github.ratelimit.spring.web;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;
import org.springframework.web.servlet.function.RouterFunction;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * However a path is spelled, what it leads to is limited. Each spelling is sent once by a
 * client that has its whole limit, to see what it leads to, and once by one whose limit
 * the plain path used up.
 */
@Tag("long")
class PathSpellingsIT {

	private static final List<String> PATHS = List.of("/files/a.txt", "/exact/b.txt", "/index.html", "/search",
			"/items/1", "/fn/item", "/fn", "/raw/item", "/first/item", "/first");

	private static final String[] PROPERTIES = { "server.port=0", "ratelimit.store=memory",
			"spring.web.resources.static-locations=classpath:/spelling/", "ratelimit.policies.client.limits=1/1h",
			"ratelimit.policies.client.key=header:X-Client",
			"ratelimit.rules[0].paths=/files/**,/exact/b.txt,/index.html,/search,/items/*,/fn/item,/fn,/raw/**",
			"ratelimit.rules[0].policies=client", "ratelimit.rules[1].paths=/first/item,/first",
			"ratelimit.rules[1].policies=client", "ratelimit.rules[1].phase=before-security",
			"logging.level.org.springframework.web=error", "logging.level.org.apache=error" };

	@ParameterizedTest
	@CsvSource({ "SERVLET, ''", "SERVLET, /ctx", "REACTIVE, ''", "REACTIVE, /ctx" })
	void limitsWhateverAPathIsSpelledLike(WebApplicationType type, String contextPath) {
		try (ConfigurableApplicationContext application = application(type, contextPath)) {
			assertThatEachSpellingIsLimited(application, contextPath);
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, ''", "SERVLET, /ctx", "REACTIVE, ''", "REACTIVE, /ctx" })
	void limitsWhateverIsSpelledLikeAnExceptedPath(WebApplicationType type, String contextPath) {
		try (ConfigurableApplicationContext application = builder(type).properties(PROPERTIES)
			.properties("server.servlet.context-path=" + contextPath, "spring.webflux.base-path=" + contextPath,
					"ratelimit.rules[0].paths=/**", "ratelimit.rules[0].except=/x/**,/items/2",
					"ratelimit.rules[1].paths=/none")
			.run()) {
			String spent = spentOn(application, contextPath + "/items/1");
			assertThat(send(application, contextPath + "/items/2", spent)).isEqualTo(200);
			assertThatEachSpellingIsLimited(application, contextPath);
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET", "REACTIVE" })
	void limitsWhateverAFilterBehindTheRulesMakesOfATrailingSlash(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type, "", TrailingSlashes.class)) {
			assertThat(status(application, "/search/")).isEqualTo(200);
			assertThatEachSpellingIsLimited(application, "");
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET", "REACTIVE" })
	void limitsWhatAFilterBehindTheRulesMakesOfAPath(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type, "", Aliases.class)) {
			for (String path : PATHS) {
				if (!path.startsWith("/raw")) {
					assertThat(status(application, "/alias" + path)).as(path).isEqualTo(200);
					assertThat(send(application, "/alias" + path, spentOn(application, path))).as(path).isEqualTo(429);
				}
			}
		}
	}

	/**
	 * The rule of the rewritten path is one before security, and both phases have rules.
	 */
	@ParameterizedTest
	@CsvSource({ "SERVLET", "REACTIVE" })
	void limitsWhatAFilterBetweenTheRulesMakesOfAPath(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type, "", AliasesBetween.class)) {
			for (String path : List.of("/first", "/search")) {
				assertThat(status(application, "/alias" + path)).as(path).isEqualTo(200);
				assertThat(send(application, "/alias" + path, spentOn(application, path))).as(path).isEqualTo(429);
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, #request.pathVariable('dir') + #request.header('X-Client'), true",
			"REACTIVE, #request.pathVariable('dir') + #request.header('X-Client'), true",
			"SERVLET, header:X-Client, #request.pathVariable('dir') == 'files'",
			"REACTIVE, header:X-Client, #request.pathVariable('dir') == 'files'" })
	void limitsByAPathVariableWhateverAPathIsSpelledLike(WebApplicationType type, String key, String condition) {
		try (ConfigurableApplicationContext application = byVariable(type, "/{dir}/**", key, condition)) {
			String spent = spentOn(application, "/files/a.txt");
			List<String> more = List.of("/files%2F.%2Fa.txt", "/files%2F%2F%2Fa.txt", "/files%5C%2Fa.txt",
					"/x%2F../files/a.txt");
			assertThat(Stream.concat(PathSpellings.of("", "/files/a.txt", port(application)), more.stream())
				.flatMap((spelling) -> failure(application, spelling, "/files/a.txt", spent))).isEmpty();
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET", "REACTIVE" })
	void limitsByTheVariableByWhichAControllerIsFound(WebApplicationType type) {
		String key = "#request.pathVariable('id') + #request.header('X-Client')";
		try (ConfigurableApplicationContext application = byVariable(type, "/trees/{id}/**", key, "true")) {
			String spent = spentOn(application, "/trees/1/x");
			for (String spelling : List.of("/trees/1/../2/x", "/trees/1/%2e%2e/3/x", "/trees/%31/x", "/trees/1;v=1/x",
					"/trees/1/./x/")) {
				assertThat(status(application, spelling)).as(spelling).isEqualTo(200);
				assertThat(send(application, spelling, spent)).as(spelling).isEqualTo(429);
			}
			assertThat(send(application, "/trees/4/x", spent)).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET", "REACTIVE" })
	void chargesOneCountOnceHoweverAPathMayBeRead(WebApplicationType type) {
		try (ConfigurableApplicationContext application = byVariable(type, "/trees/{id}/**", "header:X-Client", "true",
				"ratelimit.policies.client.limits=2/1h")) {
			String client = UUID.randomUUID().toString();
			assertThat(send(application, "/trees/1/../2/x", client)).isEqualTo(200);
			assertThat(send(application, "/trees/1/x", client)).isEqualTo(200);
			assertThat(send(application, "/trees/1/x", client)).isEqualTo(429);
		}
	}

	private static ConfigurableApplicationContext byVariable(WebApplicationType type, String paths, String key,
			String condition, String... more) {
		return builder(type)
			.properties("ratelimit.policies.client.limits=1/1h", "server.port=0", "ratelimit.store=memory",
					"spring.web.resources.static-locations=classpath:/spelling/",
					"ratelimit.policies.client.key=" + key, "ratelimit.rules[0].paths=" + paths,
					"ratelimit.rules[0].policies=client", "ratelimit.rules[0].when=" + condition,
					"logging.level.org.apache=error")
			.properties(more)
			.run();
	}

	private static void assertThatEachSpellingIsLimited(ConfigurableApplicationContext application, String context) {
		List<String> failures = new ArrayList<>();
		for (String path : paths(application)) {
			String spent = spentOn(application, context + path);
			PathSpellings.of(context, path, port(application))
				.flatMap((spelling) -> failure(application, spelling, path, spent))
				.forEach(failures::add);
		}
		assertThat(failures).isEmpty();
	}

	private static List<String> paths(ConfigurableApplicationContext application) {
		boolean hasServlets = application.containsBean("plain");
		return PATHS.stream().filter((path) -> hasServlets || !path.startsWith("/raw")).toList();
	}

	/** A client whose limit a path used up. */
	private static String spentOn(ConfigurableApplicationContext application, String path) {
		String client = UUID.randomUUID().toString();
		assertThat(send(application, path, client)).isEqualTo(200);
		assertThat(send(application, path, client)).isEqualTo(429);
		return client;
	}

	/** A spelling that leads nowhere is refused as such, or limited all the same. */
	private static Stream<String> failure(ConfigurableApplicationContext application, String spelling, String path,
			String spentClient) {
		int fresh = status(application, spelling);
		int spent = send(application, spelling, spentClient);
		boolean isLimited = (fresh == 200) ? spent == 429
				: isRefusal(fresh, spelling, path) && (spent == fresh || spent == 429);
		return isLimited ? Stream.empty() : Stream.of("%s for %s: %d, then %d".formatted(spelling, path, fresh, spent));
	}

	/**
	 * Spring itself fails at a context path, or the path of a servlet, in which it finds
	 * more than its letters.
	 */
	private static boolean isRefusal(int status, String spelling, String path) {
		boolean isOdd = path.startsWith("/raw") || (spelling.contains("ctx") && !spelling.startsWith("/ctx/"));
		return List.of(302, 400, 404).contains(status) || (isOdd && status == 500);
	}

	private static int status(ConfigurableApplicationContext application, String path) {
		return send(application, path, UUID.randomUUID().toString());
	}

	private static int send(ConfigurableApplicationContext application, String path, String client) {
		return RawClient.status(port(application), "GET " + path
				+ " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Client: " + client + "\r\n\r\n");
	}

	private static int port(ConfigurableApplicationContext application) {
		return application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	private static ConfigurableApplicationContext application(WebApplicationType type, String contextPath,
			Class<?>... more) {
		return builder(type, more).properties(PROPERTIES)
			.properties("server.servlet.context-path=" + contextPath, "spring.webflux.base-path=" + contextPath)
			.run();
	}

	private static SpringApplicationBuilder builder(WebApplicationType type, Class<?>... more) {
		return new SpringApplicationBuilder(Application.class).sources(more)
			.sources((type == WebApplicationType.SERVLET) ? OnServlets.class : Reactive.class)
			.web(type);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class OnServlets {

		@Bean
		RouterFunction<?> functions() {
			return org.springframework.web.servlet.function.RouterFunctions.route()
				.GET("/fn/item", (request) -> org.springframework.web.servlet.function.ServerResponse.ok().build())
				.GET("/fn", (request) -> org.springframework.web.servlet.function.ServerResponse.ok().build())
				.build();
		}

		@Bean
		ServletRegistrationBean<PlainServlet> plain() {
			return new ServletRegistrationBean<>(new PlainServlet(), "/raw/*");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(NettyIT.Server.class)
	static class Reactive {

		@Bean
		org.springframework.web.reactive.function.server.RouterFunction<?> functions() {
			return org.springframework.web.reactive.function.server.RouterFunctions.route()
				.GET("/fn/item",
						(request) -> org.springframework.web.reactive.function.server.ServerResponse.ok().build())
				.GET("/fn", (request) -> org.springframework.web.reactive.function.server.ServerResponse.ok().build())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TrailingSlashes {

		@Bean
		Filter trailingSlash() {
			return org.springframework.web.filter.UrlHandlerFilter.trailingSlashHandler("/**").wrapRequest().build();
		}

		@Bean
		WebFilter reactiveTrailingSlash() {
			return org.springframework.web.filter.reactive.UrlHandlerFilter.trailingSlashHandler("/**")
				.mutateRequest()
				.build();
		}

	}

	/**
	 * Filters that take a first segment off.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Aliases {

		private static final String ALIAS = "/alias";

		@Bean
		Filter aliases() {
			return (request, response, chain) -> chain.doFilter(new WithoutAlias((HttpServletRequest) request),
					response);
		}

		@Bean
		WebFilter reactiveAliases() {
			return (exchange,
					chain) -> chain.filter(exchange.mutate()
						.request((request) -> request.path(without(exchange.getRequest().getPath().value())))
						.build());
		}

		private static String without(String path) {
			return path.startsWith(ALIAS) ? path.substring(ALIAS.length()) : path;
		}

		private static final class WithoutAlias extends HttpServletRequestWrapper {

			WithoutAlias(HttpServletRequest request) {
				super(request);
			}

			@Override
			public String getRequestURI() {
				return without(super.getRequestURI());
			}

			@Override
			public String getServletPath() {
				return without(super.getServletPath());
			}

		}

	}

	/**
	 * The same filters between those of both phases.
	 */
	@Configuration(proxyBeanMethods = false)
	static class AliasesBetween {

		private static final int ORDER = -95;

		@Bean
		FilterRegistrationBean<Filter> aliases() {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(new Aliases().aliases());
			registration.setOrder(ORDER);
			return registration;
		}

		@Bean
		@Order(ORDER)
		WebFilter reactiveAliases() {
			return new Aliases().reactiveAliases();
		}

	}

	@RestController
	static class Controller {

		@GetMapping({ "/search", "/items/{id}", "/first/item", "/first", "/trees/{id}/**" })
		String found() {
			return "ok";
		}

	}

}
