package io.github.ratelimit.spring.web;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.RateLimited;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Denials that scripts of other origins can read, and preflights.
 */
@Tag("long")
class CorsDenialsIT {

	static final String ORIGIN = "https://script.example";

	private static final String ALLOWED = "Access-Control-Allow-Origin";

	@RegisterExtension
	static final SharedApplications APPLICATIONS = new SharedApplications();

	private final String client = UUID.randomUUID().toString();

	static Stream<Arguments> applications() {
		return Stream.concat(
				Stream
					.of(CorsConfigurations.Secured.class, CorsConfigurations.SecuredInline.class,
							CorsConfigurations.Mapping.class, CorsConfigurations.Filtering.class,
							CorsConfigurations.Registered.class)
					.map((cors) -> Arguments.of(WebApplicationType.SERVLET, cors)),
				Stream
					.of(CorsConfigurations.ReactiveSecured.class, CorsConfigurations.ReactiveMapping.class,
							CorsConfigurations.ReactiveFiltering.class)
					.map((cors) -> Arguments.of(WebApplicationType.REACTIVE, cors)));
	}

	@ParameterizedTest
	@MethodSource("applications")
	void areReadableWhereverTheyComeFrom(WebApplicationType type, Class<?> cors) {
		ConfigurableApplicationContext application = application(type, cors);
		for (String path : List.of("/annotated", "/after", "/before")) {
			assertThat(get(application, path, ORIGIN).status()).as(path).isEqualTo(200);
			Response denied = get(application, path, ORIGIN);
			assertThat(denied.status()).as(path).isEqualTo(429);
			assertThat(denied.header(ALLOWED)).as(path).isEqualTo(ORIGIN);
			assertThat(denied.header("Access-Control-Expose-Headers")).as(path).isEqualTo("Retry-After");
			assertThat(denied.body()).as(path).contains("quota-exceeded");
			assertThat(get(application, path, "https://other.example").header(ALLOWED)).as(path).isNull();
			assertThat(get(application, path, "https://other.example").status()).as(path).isIn(403, 429);
		}
	}

	@ParameterizedTest
	@MethodSource("applications")
	void doesNotChargePreflights(WebApplicationType type, Class<?> cors) {
		ConfigurableApplicationContext application = application(type, cors);
		for (String path : List.of("/annotated", "/after", "/before")) {
			for (int i = 0; i < 3; i++) {
				assertThat(preflight(application, path).header(ALLOWED)).as(path).isEqualTo(ORIGIN);
			}
			assertThat(get(application, path, ORIGIN).status()).as(path).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { CorsConfigurations.Mapping.class, CorsConfigurations.RegisteredElsewhere.class })
	void limitsPreflightsThatReachAServlet(Class<?> cors) {
		ConfigurableApplicationContext application = application(WebApplicationType.SERVLET, cors);
		assertThat(preflight(application, "/raw/1").body()).isEqualTo("reached");
		assertThat(preflight(application, "/raw/1").status()).isEqualTo(429);
	}

	@ParameterizedTest
	@ValueSource(classes = { CorsConfigurations.Secured.class, CorsConfigurations.Filtering.class,
			CorsConfigurations.Registered.class })
	void doesNotChargePreflightsThatAFilterHandlesForAServlet(Class<?> cors) {
		ConfigurableApplicationContext application = application(WebApplicationType.SERVLET, cors);
		for (int i = 0; i < 3; i++) {
			Response response = preflight(application, "/raw/1");
			assertThat(response.header(ALLOWED)).isEqualTo(ORIGIN);
			assertThat(response.body()).isEmpty();
		}
	}

	/** Else guesses at passwords would be free. */
	@Test
	void takesNoRequestWithCredentialsForAPreflight() {
		for (WebApplicationType type : List.of(WebApplicationType.SERVLET, WebApplicationType.REACTIVE)) {
			Class<?> cors = (type == WebApplicationType.SERVLET) ? CorsConfigurations.Mapping.class
					: CorsConfigurations.ReactiveMapping.class;
			ConfigurableApplicationContext application = application(type, cors);
			for (String credentials : List.of("Authorization", "Cookie")) {
				Map<String, String> headers = Map.of("X-Client", this.client + credentials, "Origin", ORIGIN,
						"Access-Control-Request-Method", "GET", credentials, "Basic YTpi");
				assertThat(send(application, "OPTIONS", "/before", headers).status()).isNotEqualTo(429);
				assertThat(send(application, "OPTIONS", "/before", headers).status()).isEqualTo(429);
			}
		}
	}

	private Response get(ConfigurableApplicationContext application, String path, String origin) {
		return send(application, "GET", path, Map.of("X-Client", this.client + path, "Origin", origin));
	}

	private Response preflight(ConfigurableApplicationContext application, String path) {
		return send(application, "OPTIONS", path,
				Map.of("X-Client", this.client + path, "Origin", ORIGIN, "Access-Control-Request-Method", "GET"));
	}

	private static Response send(ConfigurableApplicationContext application, String method, String path,
			Map<String, String> headers) {
		int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		return new RealClient(port).send(method, path, headers, "");
	}

	private static ConfigurableApplicationContext application(WebApplicationType type, Class<?> cors) {
		return APPLICATIONS.get(cors, () -> start(type, cors));
	}

	private static ConfigurableApplicationContext start(WebApplicationType type, Class<?> cors) {
		Class<?> server = (type == WebApplicationType.SERVLET) ? RawServlets.class : NettyIT.Server.class;
		return new SpringApplicationBuilder(Application.class, cors, server).web(type)
			.properties("server.port=0", "ratelimit.store=memory", "ratelimit.policies.client.limits=1/1h",
					"ratelimit.policies.client.key=header:X-Client", "ratelimit.rules[0].paths=/after,/raw/**",
					"ratelimit.rules[0].policies=client", "ratelimit.rules[1].paths=/before",
					"ratelimit.rules[1].policies=client", "ratelimit.rules[1].phase=before-security")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class RawServlets {

		@Bean
		ServletRegistrationBean<RawServlet> raw() {
			return new ServletRegistrationBean<>(new RawServlet(), "/raw/*");
		}

	}

	/**
	 * A servlet that serves whatever reaches it.
	 */
	static class RawServlet extends HttpServlet {

		private static final long serialVersionUID = 1L;

		@Override
		protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
			response.getWriter().write("reached");
		}

	}

	@RestController
	static class Controller {

		@GetMapping({ "/after", "/before" })
		String open() {
			return "ok";
		}

		@GetMapping("/annotated")
		@RateLimited("client")
		String annotated() {
			return "ok";
		}

	}

}
