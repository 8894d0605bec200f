package io.github.ratelimit.spring.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Callers who look up their own limits, on Tomcat and Netty.
 */
class UsageIT {

	@RegisterExtension
	static final SharedApplications APPLICATIONS = new SharedApplications();

	private static final String INLINE = "inline";

	private static final List<String> PROPERTIES = List.of("server.port=0", "ratelimit.store=memory",
			"ratelimit.usage.path=/usage", "ratelimit.policies.api.limits=100/1d fixed-window, 5 concurrent",
			"ratelimit.policies.api.key=header:X-Api-Key", "ratelimit.policies.api.plan=header:X-Plan",
			"ratelimit.policies.api.plans.premium=1000/1d fixed-window, 5 concurrent",
			"ratelimit.policies.api.exempt=header:X-Api-Key:root",
			"ratelimit.policies.api.blocked=header:X-Api-Key:stolen",
			"ratelimit.policies.addresses.limits=10/1d fixed-window", "ratelimit.policies.addresses.key=client-ip",
			"ratelimit.policies.total.limits=7/1d fixed-window", "ratelimit.policies.by-item.limits=10/1d",
			"ratelimit.policies.by-item.key=path:item,client-ip", "ratelimit.policies.by-reader.limits=10/1d",
			"ratelimit.policies.by-reader.key=#reader", "ratelimit.policies.by-plan.limits=10/1d",
			"ratelimit.policies.by-plan.key=header:X-Api-Key", "ratelimit.policies.by-plan.plan=#plan",
			"ratelimit.policies.by-user.limits=10/1d", "ratelimit.policies.by-user.key=#user.name + '!'",
			"ratelimit.rules[0].paths=/**", "ratelimit.rules[0].policies=total,addresses");

	private static final Map<WebApplicationType, ConfigurableApplicationContext> CONTEXTS = Map.of(
			WebApplicationType.SERVLET, start(WebApplicationType.SERVLET), WebApplicationType.REACTIVE,
			start(WebApplicationType.REACTIVE));

	@AfterAll
	static void stop() {
		CONTEXTS.values().forEach(ConfigurableApplicationContext::close);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void showsWhatIsSpentAndLeft(WebApplicationType server) {
		limiter(server).acquire(new Charge("addresses", "client-ip:127.0.0.1", 3));
		assertThat(usage(server, null)).startsWith("{'policies':[{'policy':'addresses','access':'LIMITED','limits':"
				+ "[{'limit':'10/1d','permits':10,'used':3,'remaining':7,'reset':86400}]}");
		assertThat(usage(server, "alice")).contains("{'policy':'api','access':'LIMITED','limits':["
				+ "{'limit':'100/1d','permits':100,'used':0,'remaining':100,'reset':0},"
				+ "{'limit':'5 concurrent','permits':5,'used':0,'remaining':5,'reset':0}]}");
		limiter(server).reset("addresses", "client-ip:127.0.0.1");
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, root, EXEMPT", "REACTIVE, root, EXEMPT", "SERVLET, stolen, BLOCKED",
			"REACTIVE, stolen, BLOCKED" })
	void showsWhoIsListed(WebApplicationType server, String key, String access) {
		assertThat(usage(server, key)).contains("{'policy':'api','access':'" + access + "','limits':[]}");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void leavesOutPoliciesWhoseKeysDependOnMoreThanTheCaller(WebApplicationType server) {
		assertThat(usage(server, "alice")).contains("'addresses'", "'api'", "'by-user'")
			.doesNotContain("'by-item'", "'by-reader'", "'by-plan'", "'" + INLINE + "'");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void showsTheLimitsOfThePlan(WebApplicationType server) {
		EntityExchangeResult<String> result = client(server).get()
			.uri("/usage")
			.headers((headers) -> headers.set("X-Api-Key", "bob"))
			.header("X-Plan", "premium")
			.exchange()
			.expectBody(String.class)
			.returnResult();
		assertThat(result.getResponseBody()).contains("1000/1d");
		assertThat(result.getResponseHeaders().getCacheControl()).isEqualTo("no-store");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void chargesNothingEvenIfARuleMatchesAllPaths(WebApplicationType server) {
		for (int i = 0; i < 20; i++) {
			usage(server, null);
		}
		assertThat(remaining(server, "total", "global")).isEqualTo(7);
		assertThat(remaining(server, "addresses", "client-ip:127.0.0.1")).isEqualTo(10);
	}

	@ParameterizedTest
	@CsvSource({ "ratelimit.usage.path=usage/{id}, ratelimit.usage.path",
			"ratelimit.usage.policies=apis, ratelimit.usage.policies",
			"ratelimit.usage.policies=by-reader, ratelimit.usage.policies" })
	void refusesToStart(String property, String named) {
		List<String> properties = new ArrayList<>(PROPERTIES);
		properties.add(property);
		assertThatThrownBy(() -> start(WebApplicationType.SERVLET, properties))
			.satisfies((failure) -> assertThat(Stream.iterate(failure, (each) -> each != null, Throwable::getCause))
				.anySatisfy((cause) -> assertThat(cause).isInstanceOf(InvalidRateLimitConfigurationException.class)
					.hasMessageContaining(named)));
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void needsTheApiVersionThatTheApplicationRequires(WebApplicationType server) {
		List<String> properties = new ArrayList<>(PROPERTIES);
		for (String stack : List.of("mvc", "webflux")) {
			properties.add("spring." + stack + ".apiversion.required=true");
			properties.add("spring." + stack + ".apiversion.supported=1");
			properties.add("spring." + stack + ".apiversion.use.header=X-Version");
		}
		ConfigurableApplicationContext context = APPLICATIONS.get(server, () -> start(server, properties));
		client(context).get().uri("/usage").exchange().expectStatus().isBadRequest().expectBody();
		client(context).get().uri("/usage").header("X-Version", "1").exchange().expectStatus().isOk().expectBody();
	}

	@Test
	void isAbsentUnlessItHasAPath() {
		List<String> properties = PROPERTIES.stream().filter((property) -> !property.contains("usage")).toList();
		try (ConfigurableApplicationContext context = start(WebApplicationType.SERVLET, properties)) {
			client(context).get().uri("/usage").exchange().expectStatus().isNotFound().expectBody();
		}
	}

	private static String usage(WebApplicationType server, @Nullable String key) {
		String body = client(server).get().uri("/usage").headers((headers) -> {
			if (key != null) {
				headers.set("X-Api-Key", key);
			}
		}).exchange().expectStatus().isOk().expectBody(String.class).returnResult().getResponseBody();
		return String.valueOf(body).replace('"', '\'');
	}

	private static long remaining(WebApplicationType server, String policy, String key) {
		return limiter(server).peek(List.of(new Charge(policy, key, 0))).limits().get(0).remaining();
	}

	private static RateLimiter limiter(WebApplicationType server) {
		return context(server).getBean(RateLimiter.class);
	}

	private static ConfigurableApplicationContext context(WebApplicationType server) {
		return Objects.requireNonNull(CONTEXTS.get(server));
	}

	private static WebTestClient client(WebApplicationType server) {
		return client(context(server));
	}

	private static WebTestClient client(ConfigurableApplicationContext context) {
		return WebTestClient.bindToServer()
			.baseUrl("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"))
			.build();
	}

	private static ConfigurableApplicationContext start(WebApplicationType server) {
		return start(server, PROPERTIES);
	}

	private static ConfigurableApplicationContext start(WebApplicationType server, List<String> properties) {
		return new SpringApplicationBuilder(Application.class).web(server)
			.properties(properties.toArray(String[]::new))
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Items.class)
	static class Application {

	}

	@RestController
	static class Items {

		@GetMapping("/items")
		@RateLimited(policy = INLINE, limit = "10/1d", key = "#request.address + '|' + #request.query('item')")
		String items() {
			return "items";
		}

	}

}
