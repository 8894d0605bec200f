package io.github.ratelimit.spring.actuate;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.spring.actuate.HttpOneClient.Response;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that what a dry run says is what the request would get, and that it leaves no
 * trace.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("long")
class DryRunTruthTests {

	/** The unused one of two reactive servers on the class path. */
	private static final String TOMCAT = "org.springframework.boot.tomcat.autoconfigure.actuate.web.server."
			+ "TomcatReactiveManagementContextAutoConfiguration";

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void addsUpTheChargesOfOneCount(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			assertThat(explained(application, "/twice").<Boolean>read("$.denied")).isFalse();
			assertThat(send(application, "/twice")).isEqualTo(200);
			DocumentContext explained = explained(application, "/twice");
			assertThat(explained.<List<Boolean>>read("$.rules[0:2].charges[*].denies")).containsExactly(false, false);
			assertThat(explained.<Boolean>read("$.denied")).isTrue();
			assertThat(send(application, "/twice")).isEqualTo(429);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void addsUpTheChargesOfRuleAndMethod(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			assertThat(send(application, "/both")).isEqualTo(200);
			assertThat(explained(application, "/both").<Boolean>read("$.denied")).isTrue();
			assertThat(send(application, "/both")).isEqualTo(429);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void doesNotKnowWhichOfSeveralMethodsServes(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			assertThat(explained(application, "/either").<Boolean>read("$.denied")).isFalse();
			assertThat(Stream.generate(() -> send(application, "/either?limited=1")).limit(4)).endsWith(429);
			DocumentContext explained = explained(application, "/either");
			assertThat(explained.<List<Boolean>>read("$.methods[*].charges[*].denies")).containsExactly(true);
			assertThat(explained.<Object>read("$.denied")).isNull();
			assertThat(send(application, "/either")).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void callsNoBeanOfAMethodUnlessAsked(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			AtomicInteger calls = application.getBean(AtomicInteger.class);
			DocumentContext explained = explained(application, "/tenant");
			assertThat(calls).hasValue(0);
			assertThat(explained.<List<String>>read("$.methods[0].charges[*].state")).containsExactly("beans");
			assertThat(explained.<Object>read("$.denied")).isNull();
			DocumentContext asked = explained(application, "/tenant\", \"beans\": \"call");
			assertThat(asked.<List<String>>read("$.methods[0].charges[*].state")).containsExactly("limited");
			assertThat(calls).hasValue(1);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void spendsGrantsByTheHighestCost(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			assertThat(send(application, "/costly")).isEqualTo(200);
			HttpOneClient.send(application, "POST /actuator/ratelimitcontrols/grant",
					"{\"policy\": \"costly\", \"key\": \"global\", \"permits\": 2, \"duration\": \"1h\"}");
			DocumentContext explained = explained(application, "/costly");
			assertThat(explained.<Integer>read("$.methods[0].charges[0].cost")).isEqualTo(2);
			assertThat(explained.<Boolean>read("$.denied")).isFalse();
			assertThat(send(application, "/costly")).isEqualTo(200);
			assertThat(send(application, "/costly")).isEqualTo(429);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "key=claim:org", "key=client-ip + claim:org", "key=tenant", "permits=claim:rpm",
			"plan=claim:plan", "exempt=claim:org:acme", "exempt=role:ADMIN", "blocked=claim:org:acme" })
	void doesNotKnowTheClaimsAndRolesOfAUser(String property) {
		String policy = "ratelimit.policies.claimed.";
		try (ConfigurableApplicationContext application = application(WebApplicationType.SERVLET,
				"ratelimit.tenant=claim:org", policy + "limits=3/1h", policy + "max-permits=10",
				policy + "permits=header:X-Rpm", policy + "key=client-ip", policy + "blocked[1]=ip:192.0.2.7",
				policy + "blocked[0]=ip:192.0.2.8", policy + property.replace("blocked=", "blocked[0]="),
				"ratelimit.rules[4].paths=/plain", "ratelimit.rules[4].policies=claimed")) {
			DocumentContext user = explained(application, "/plain\", \"user\": \"alice");
			assertThat(user.<String>read("$.rules[4].charges[0].state")).isEqualTo("user");
			assertThat(user.<Object>read("$.denied")).isNull();
			assertThat(explained(application, "/plain").<Boolean>read("$.denied")).isFalse();
			DocumentContext blocked = explained(application, "/plain\", \"user\": \"alice\", \"address\": \"192.0.2.7");
			assertThat(blocked.<String>read("$.rules[4].charges[0].state")).isEqualTo("blocked");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void logsNothingAndLeavesTheLogToCalls(WebApplicationType type, CapturedOutput output) {
		try (ConfigurableApplicationContext application = application(type)) {
			int before = output.getOut().length();
			assertThat(explained(application, "/numbers").<List<String>>read("$.rules[*].charges[*].state"))
				.containsExactly("failed");
			assertThat(output.getOut().substring(before)).doesNotContain("WARN");
			assertThat(send(application, "/numbers")).isEqualTo(422);
			assertThat(output.getOut().substring(before)).contains("'#request.header('X-Rpm')")
				.contains("'#request.header('X-When')");
		}
	}

	private static DocumentContext explained(ConfigurableApplicationContext application, String path) {
		Response explained = HttpOneClient.send(application, "POST /actuator/ratelimitcontrols/explain",
				"{\"method\": \"GET\", \"address\": \"127.0.0.1\", \"path\": \"" + path + "\"}");
		assertThat(explained.statusCode()).as(explained.body()).isEqualTo(200);
		return JsonPath.parse(explained.body());
	}

	private static int send(ConfigurableApplicationContext application, String path) {
		return HttpOneClient.send(application, "GET " + path, "").statusCode();
	}

	private static ConfigurableApplicationContext application(WebApplicationType type, String... properties) {
		return new SpringApplicationBuilder(Application.class).web(type)
			.properties("spring.config.name=explain", "server.port=0", "ratelimit.store=memory",
					"management.endpoints.web.exposure.include=*",
					"management.endpoint.ratelimitcontrols.access=unrestricted", "ratelimit.tenant=bean:tenants",
					"ratelimit.policies.shared.limits=3/1h", "ratelimit.policies.shared.key=client-ip",
					"ratelimit.policies.tenants.limits=3/1h", "ratelimit.policies.tenants.key=tenant",
					"ratelimit.policies.costly.limits=3/1h", "ratelimit.policies.costly.key=global",
					"ratelimit.policies.costly.max-cost=2", "ratelimit.policies.costly.above-max-cost=clamp",
					"ratelimit.policies.numbers.limits=3/1h", "ratelimit.policies.numbers.key=global",
					"ratelimit.policies.numbers.max-permits=10",
					"ratelimit.policies.numbers.permits=#request.header('X-Rpm').length()")
			.properties(rule(0, "/twice", "shared"))
			.properties(rule(1, "/twice", "shared"))
			.properties(rule(2, "/both", "shared"))
			.properties(rule(3, "/numbers", "numbers"))
			.properties("ratelimit.rules[3].when=#request.header('X-When').length() > 0",
					"spring.autoconfigure.exclude=" + TOMCAT)
			.properties(properties)
			.run();
	}

	private static String[] rule(int index, String paths, String policy) {
		String rule = "ratelimit.rules[" + index + "].";
		return new String[] { rule + "paths=" + paths, rule + "policies=" + policy };
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ DryRunIT.CountedKeys.class, Handlers.class })
	static class Application {

	}

	@RestController
	static class Handlers {

		@GetMapping({ "/twice", "/numbers", "/plain" })
		String plain() {
			return "plain";
		}

		@GetMapping("/both")
		@RateLimited("shared")
		String both() {
			return "both";
		}

		@GetMapping(path = "/either", params = "limited")
		@RateLimited("shared")
		String limited() {
			return "limited";
		}

		@GetMapping(path = "/either", params = "!limited")
		String unlimited() {
			return "unlimited";
		}

		@GetMapping("/tenant")
		@RateLimited("tenants")
		String tenant() {
			return "tenant";
		}

		@GetMapping("/costly")
		@RateLimited(policy = "costly", cost = "#request.path.length()")
		String costly() {
			return "costly";
		}

	}

}
