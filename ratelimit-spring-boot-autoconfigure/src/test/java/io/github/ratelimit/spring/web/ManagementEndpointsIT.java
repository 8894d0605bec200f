package io.github.ratelimit.spring.web;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rules and management endpoints: only those that name an endpoint limit it.
 */
@Tag("long")
class ManagementEndpointsIT {

	private static final String APPLICATION = "local.server.port";

	private static final String MANAGEMENT = "local.management.port";

	/** The unused one of two reactive servers on the class path. */
	private static final String TOMCAT = "org.springframework.boot.tomcat.autoconfigure.actuate.web.server."
			+ "TomcatReactiveManagementContextAutoConfiguration";

	private final String client = UUID.randomUUID().toString();

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void doesNotLimitEndpointsThatNoRuleNames(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type, "/actuator/info")) {
			for (String path : List.of("/actuator", "/actuator/health", "/actuator/health/liveness", "/livez",
					"/readyz")) {
				assertThat(statuses(application, APPLICATION, path)).as(path).containsOnly(200);
			}
			assertThat(statuses(application, APPLICATION, "/actuator/info")).containsExactly(200, 429, 429);
			assertThat(statuses(application, APPLICATION, "/open")).containsOnly(429);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void limitsAllThatIsNoEndpoint(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type, "/none")) {
			assertThat(statuses(application, APPLICATION, "/open")).containsExactly(200, 429, 429);
			for (String path : List.of("/actuator/unknown", "/actuator/../open", "/actuator/health/../../open",
					"/actuator/health/%2e%2e/%2e%2e/open", "/livez/../open", "/actuator/health/x;/../../../open",
					"/actuator/health/..%2F..%2Fopen", "/open/../actuator/health", "/actuator//health")) {
				assertThat(statuses(application, APPLICATION, path)).as(path).isSubsetOf(400, 429);
			}
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void knowsTheBasePath(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type, "/manage/**",
				"management.endpoints.web.base-path=/manage/", "management.endpoints.web.path-mapping.health=up")) {
			assertThat(statuses(application, APPLICATION, "/livez")).containsOnly(200);
			assertThat(statuses(application, APPLICATION, "/manage/up")).containsExactly(200, 429, 429);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void knowsEndpointsWithoutABasePath(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type, "/info",
				"management.endpoints.web.base-path=/")) {
			assertThat(statuses(application, APPLICATION, "/health")).containsOnly(200);
			assertThat(statuses(application, APPLICATION, "/info")).containsExactly(200, 429, 429);
			assertThat(statuses(application, APPLICATION, "/open")).containsOnly(429);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void knowsAServerOfTheirOwn(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type, "/actuator/info",
				"management.server.port=0", "management.server.base-path=/own")) {
			assertThat(statuses(application, MANAGEMENT, "/own/actuator/health")).containsOnly(200);
			assertThat(statuses(application, MANAGEMENT, "/own/actuator")).containsOnly(200);
			assertThat(statuses(application, APPLICATION, "/livez")).containsOnly(200);
			assertThat(statuses(application, MANAGEMENT, "/own/actuator/info")).containsExactly(200, 429, 429);
			assertThat(statuses(application, APPLICATION, "/actuator/health")).containsOnly(429);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void limitsTheirPathsWhereNothingServesThem(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type, "/none", "management.server.port=-1")) {
			assertThat(statuses(application, APPLICATION, "/actuator/health")).containsExactly(404, 429, 429);
		}
	}

	@Test
	void knowsThePathOfTheServlet() {
		try (ConfigurableApplicationContext application = application(WebApplicationType.SERVLET, "/app/actuator/info",
				"spring.mvc.servlet.path=/app")) {
			assertThat(statuses(application, APPLICATION, "/app/actuator/health")).containsOnly(200);
			assertThat(statuses(application, APPLICATION, "/app/livez")).containsOnly(200);
			assertThat(statuses(application, APPLICATION, "/app/actuator/info")).containsExactly(200, 429, 429);
		}
	}

	/**
	 * On a connection for each request: Reactor Netty now and then leaves a health
	 * endpoint's response on a connection that is kept alive unsent.
	 */
	private List<Integer> statuses(ConfigurableApplicationContext application, String port, String path) {
		int number = application.getEnvironment().getRequiredProperty(port, Integer.class);
		return Stream
			.generate(
					() -> RawClient
						.status(number,
								"GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Client: "
										+ this.client + "\r\n\r\n"))
			.limit(3)
			.toList();
	}

	/** Has a rule for everything, and one for a path. */
	private static ConfigurableApplicationContext application(WebApplicationType type, String path,
			String... properties) {
		List<String> all = new ArrayList<>(List.of("server.port=0", "ratelimit.store=memory",
				"ratelimit.policies.client.limits=1/1h", "ratelimit.policies.client.key=header:X-Client",
				"ratelimit.rules[0].paths=/**", "ratelimit.rules[0].policies=client",
				"ratelimit.rules[0].phase=before-security", "ratelimit.rules[1].paths=" + path + ",/**",
				"ratelimit.rules[1].policies=client", "ratelimit.rules[1].when=#request.header('X-Client') == 'none'",
				"ratelimit.rules[2].paths=" + path, "ratelimit.rules[2].policies=client",
				"management.health.defaults.enabled=false", "spring.autoconfigure.exclude=" + TOMCAT,
				"management.endpoints.web.exposure.include=health,info",
				"management.endpoint.health.probes.enabled=true",
				"management.endpoint.health.probes.add-additional-paths=true"));
		all.addAll(List.of(properties));
		return SharedApplications.on(type, Application.class).properties(all.toArray(String[]::new)).run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Application {

	}

	@RestController
	static class Controller {

		@GetMapping("/open")
		String open() {
			return "ok";
		}

	}

}
