package io.github.ratelimit.spring.actuate;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.actuate.HttpOneClient.Response;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of dry runs, which tell an operator what limits a request.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("long")
class DryRunIT {

	private static final String SECRET = "s3cret-4711";

	/** The unused one of two reactive servers on the class path. */
	private static final String TOMCAT = "org.springframework.boot.tomcat.autoconfigure.actuate.web.server."
			+ "TomcatReactiveManagementContextAutoConfiguration";

	private static RedisProcess redis;

	@BeforeAll
	static void start() {
		redis = RedisProcess.start();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET,memory", "SERVLET,redis", "REACTIVE,memory", "REACTIVE,redis" })
	void tellWhatRequestsMeet(WebApplicationType type, String store) {
		try (ConfigurableApplicationContext application = application(type, store)) {
			redis.commands().flushall();
			for (int run = 0; run < 3; run++) {
				DocumentContext explained = explained(application, "GET", "/open", "'address': '127.0.0.1'");
				assertThat(explained.<Boolean>read("$.denied")).isFalse();
				assertThat(explained.<List<String>>read("$.rules[*].mismatch")).containsExactly(null, "path", "path",
						"path", "path", "path");
				assertThat(explained.<String>read("$.rules[0].charges[0].key")).isEqualTo("client-ip:127.0.0.1");
				assertThat(explained.<String>read("$.rules[0].charges[0].digest"))
					.isEqualTo(KeyDigest.inPlaceOf("client-ip:127.0.0.1"));
				assertThat(explained.<Integer>read("$.rules[0].charges[0].left.limits[0].remaining")).isEqualTo(2);
			}
			assertThat(Stream.generate(() -> send(application, "GET /open").statusCode()).limit(3)).containsExactly(200,
					200, 429);
			DocumentContext denied = explained(application, "GET", "/open", "'address': '127.0.0.1'");
			assertThat(denied.<Boolean>read("$.denied")).isTrue();
			assertThat(denied.<Boolean>read("$.rules[0].charges[0].denies")).isTrue();
			assertThat(denied.<Double>read("$.rules[0].charges[0].left.limits[0].retryAfter")).isBetween(1000.0,
					1800.0);
			assertGrantAdmits(application);
			assertThat(explained(application, "GET", "/open", "'address': '192.0.2.7'")
				.<List<String>>read("$.rules[0].charges[*].state")).containsExactly("blocked");
		}
	}

	private static void assertGrantAdmits(ConfigurableApplicationContext application) {
		HttpOneClient.send(application, "POST /actuator/ratelimitcontrols/grant",
				"{\"policy\": \"open\", \"key\": \"client-ip:127.0.0.1\", \"permits\": 1, \"duration\": \"1h\"}");
		assertThat(explained(application, "GET", "/open", "'address': '127.0.0.1'").<Boolean>read("$.denied"))
			.isFalse();
		assertThat(send(application, "GET /open").statusCode()).isEqualTo(200);
		assertThat(send(application, "GET /open").statusCode()).isEqualTo(429);
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void saysWhyOtherRulesDoNotApply(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type, "memory")) {
			assertThat(mismatches(application, "GET", "/api/a")).containsExactly("path", null, null, "path", "when",
					"path");
			assertThat(mismatches(application, "POST", "/api/a")).containsExactly("path", "method", null, "path",
					"when", "path");
			assertThat(mismatches(application, "GET", "/api/health")).containsExactly("path", "except", null, "path",
					"when", null);
			assertThat(mismatches(application, "GET", "/api/a;x=1/../health")).startsWith("path", null, null);
			assertThat(mismatches(application, "GET", "/actuator/health")).endsWith("reserved");
			assertThat(
					explained(application, "GET", "/api/a", "'user': 'vip'").<List<String>>read("$.rules[*].mismatch"))
				.containsExactly("path", null, null, "path", null, "path");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void knowsKeyAndPlanAndShowsNoSecret(WebApplicationType type, CapturedOutput output) {
		try (ConfigurableApplicationContext application = application(type, "memory")) {
			HttpOneClient.send(application, "POST /actuator/ratelimitcontrols/limits", "{\"policy\": \"api\", \"key\": "
					+ "\"header:x-api-key:" + SECRET + "\", \"limits\": \"7/1h\", \"for\": \"ever\"}");
			Response explained = explain(application, "GET", "/api/a?q=1",
					"'user': 'alice', 'headers': 'x-api-key: " + SECRET + "\\nX-Plan: gold'");
			assertThat(explained.body()).doesNotContain(SECRET);
			DocumentContext json = JsonPath.parse(explained.body());
			assertThat(json.<String>read("$.rules[1].charges[0].digest"))
				.isEqualTo(KeyDigest.inPlaceOf("header:x-api-key:" + SECRET));
			assertThat(json.<Object>read("$.rules[1].charges[0].key")).isNull();
			assertThat(json.<String>read("$.rules[1].charges[0].left.plan")).isEqualTo("gold");
			assertThat(json.<String>read("$.rules[1].charges[0].left.limitsFrom")).isEqualTo("control");
			assertThat(json.<String>read("$.rules[1].charges[0].mode")).isEqualTo("shadow");
			assertThat(json.<String>read("$.rules[1].charges[0].left.controls[0].subject")).startsWith("digest:");
			assertThat(json.<String>read("$.rules[2].charges[0].key")).isEqualTo("principal:alice");
			assertThat(json.<Boolean>read("$.denied")).isFalse();
			DocumentContext unknown = explained(application, "GET", "/api/a", "'address': '192.0.2.1'");
			assertThat(unknown.<String>read("$.rules[2].charges[0].state")).isEqualTo("keyless");
			assertThat(unknown.<Boolean>read("$.denied")).isTrue();
			assertThat(output.getOut()).doesNotContain(SECRET);
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET,bean:tenants", "SERVLET,tenant", "REACTIVE,bean:tenants", "REACTIVE,tenant" })
	void callsNoBeanUnlessAsked(WebApplicationType type, String key) {
		try (ConfigurableApplicationContext application = application(type, "memory", "ratelimit.tenant=bean:tenants",
				"ratelimit.policies.tenant.key=" + key)) {
			AtomicInteger calls = application.getBean(AtomicInteger.class);
			DocumentContext explained = explained(application, "GET", "/bean", "'user': 'alice'");
			assertThat(explained.<String>read("$.rules[3].charges[0].state")).isEqualTo("beans");
			assertThat(explained.<Object>read("$.denied")).isNull();
			assertThat(calls).hasValue(0);
			DocumentContext asked = explained(application, "GET", "/bean", "'user': 'alice', 'beans': 'call'");
			assertThat(asked.<String>read("$.rules[3].charges[0].digest"))
				.isEqualTo(KeyDigest.inPlaceOf(key + ":acme"));
			assertThat(calls).hasValue(1);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void listsTheLimitsOfTheMatchingMethod(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type, "memory")) {
			DocumentContext read = explained(application, "GET", "/items/7", "'address': '127.0.0.1'");
			assertThat(read.<List<String>>read("$.methods[*].method")).containsExactly("Items.read()");
			assertThat(read.<String>read("$.methods[0].pattern")).isEqualTo("/items/{id}");
			assertThat(read.<List<String>>read("$.methods[0].charges[*].policy")).containsExactly("open", "routed");
			assertThat(read.<String>read("$.methods[0].charges[1].digest"))
				.isEqualTo(KeyDigest.inPlaceOf("route:GET /items/{id} + path:id:7"));
			assertThat(read.<Integer>read("$.methods[0].charges[0].cost")).isEqualTo(2);
			send(application, "GET /items/7");
			assertThat(explained(application, "GET", "/items/7", "'address': '127.0.0.1'")
				.<List<Boolean>>read("$.methods[0].charges[*].denies")).containsExactly(true, false);
			DocumentContext all = explained(application, "GET", "/items/all", "'address': '127.0.0.1'");
			assertThat(all.<List<String>>read("$.methods[*].method")).containsExactly("Items.all()");
			assertThat(all.<List<?>>read("$.methods[0].charges")).isEmpty();
			DocumentContext write = explained(application, "POST", "/items/7", "'address': '127.0.0.1'");
			assertThat(write.<List<String>>read("$.methods[0].charges[*].state")).containsExactly("arguments");
			assertThat(write.<Object>read("$.denied")).isNull();
			assertThat(explained(application, "DELETE", "/items/7", "'address': '::1'").<List<?>>read("$.methods"))
				.isEmpty();
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void needsTheRightToWrite(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type, "memory",
				"management.endpoint.ratelimitcontrols.access=read-only")) {
			assertThat(explain(application, "GET", "/open", "'address': '::1'").statusCode()).isBetween(404, 405);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void saysWhatIsWrongWithItsFields(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type, "memory")) {
			assertRefused(explain(application, "GET", "open", "'user': 'a'"), "the field 'path' begins with no slash");
			assertRefused(explain(application, "GET", "/open", "'users': 'a'"), "the field 'users' is unknown: the");
			assertRefused(explain(application, "GET", "/open", "'address': 'here'"),
					"the field 'address' is 'here', which is no IP address");
			assertRefused(explain(application, "GET", "/open", "'beans': 'yes'"), "the field 'beans' is 'yes'");
			assertRefused(explain(application, "GET", "/open", "'headers': 'X-Api-Key'"), "a name and a colon");
			assertRefused(HttpOneClient.send(application, "POST /actuator/ratelimitcontrols/explain", "{}"),
					"the field 'path' is missing");
		}
	}

	private static void assertRefused(Response refused, String detail) {
		assertThat(refused.statusCode()).isEqualTo(400);
		assertThat(refused.body()).contains(detail);
	}

	private static List<String> mismatches(ConfigurableApplicationContext application, String method, String path) {
		return explained(application, method, path, "'user': 'alice'").read("$.rules[*].mismatch");
	}

	private static DocumentContext explained(ConfigurableApplicationContext application, String method, String path,
			String fields) {
		Response explained = explain(application, method, path, fields);
		assertThat(explained.statusCode()).as(explained.body()).isEqualTo(200);
		return JsonPath.parse(explained.body());
	}

	private static Response explain(ConfigurableApplicationContext application, String method, String path,
			String fields) {
		String body = "{'method': '" + method + "', 'path': '" + path + "', " + fields + "}";
		return HttpOneClient.send(application, "POST /actuator/ratelimitcontrols/explain", body.replace('\'', '"'));
	}

	private static Response send(ConfigurableApplicationContext application, String request) {
		return HttpOneClient.send(application, request, "");
	}

	private static ConfigurableApplicationContext application(WebApplicationType type, String store,
			String... properties) {
		return new SpringApplicationBuilder(Application.class).web(type)
			.properties("spring.config.name=explain", "server.port=0", "ratelimit.store=" + store,
					"spring.data.redis.port=" + redis.port(), "management.endpoints.web.exposure.include=*",
					"management.endpoint.ratelimitcontrols.access=unrestricted", "ratelimit.redis.timeout=10s",
					"ratelimit.policies.open.limits=2/1h", "ratelimit.policies.open.key=client-ip",
					"ratelimit.policies.open.blocked=ip:192.0.2.7", "ratelimit.policies.api.limits=3/1h",
					"ratelimit.policies.api.key=header:X-Api-Key", "ratelimit.policies.api.plan=header:X-Plan",
					"ratelimit.policies.api.plans.gold.limits=30/1h", "ratelimit.policies.api.plans.gold.mode=shadow",
					"ratelimit.policies.user.limits=3/1h", "ratelimit.policies.user.key=principal",
					"ratelimit.policies.user.on-missing-key=deny", "ratelimit.policies.tenant.limits=3/1h",
					"ratelimit.policies.tenant.key=bean:tenants", "ratelimit.policies.routed.limits=3/1h",
					"ratelimit.policies.routed.key=route + path:id", "ratelimit.policies.all.limits=100/1h",
					"ratelimit.policies.all.key=global")
			.properties(rules())
			.properties("spring.autoconfigure.exclude=" + TOMCAT)
			.properties(properties)
			.run();
	}

	private static String[] rules() {
		return Stream
			.of(rule(0, "/open", "open"), rule(1, "/api/**", "api"), rule(2, "/api/**", "user"),
					rule(3, "/bean", "tenant"), rule(4, "/api/**", "all"), rule(5, "/*/health", "all"),
					Stream.of("ratelimit.rules[1].except=/api/health", "ratelimit.rules[1].methods=GET",
							"ratelimit.rules[4].when=#user.name == 'vip'"))
			.flatMap((rule) -> rule)
			.toArray(String[]::new);
	}

	private static Stream<String> rule(int index, String paths, String policy) {
		String rule = "ratelimit.rules[" + index + "].";
		return Stream.of(rule + "paths=" + paths, rule + "policies=" + policy);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ CountedKeys.class, Items.class })
	static class Application {

	}

	/** A bean that resolves keys, and how often it is called. */
	@Configuration(proxyBeanMethods = false)
	static class CountedKeys {

		@Bean
		AtomicInteger calls() {
			return new AtomicInteger();
		}

		@Bean
		KeyResolver tenants(AtomicInteger calls) {
			return (call) -> {
				calls.incrementAndGet();
				return "acme";
			};
		}

	}

	@RestController
	static class Items {

		@GetMapping("/open")
		String open() {
			return "open";
		}

		@GetMapping("/items/all")
		String all() {
			return "all";
		}

		@GetMapping("/items/{id}")
		@RateLimited(policy = "open", cost = "2")
		@RateLimited("routed")
		String read(@PathVariable String id) {
			return id;
		}

		@PostMapping("/items/{id}")
		@RateLimited(limit = "5/1m", key = "#token")
		String write(@PathVariable String id, @RequestHeader("X-Token") String token) {
			return id + token;
		}

	}

}
