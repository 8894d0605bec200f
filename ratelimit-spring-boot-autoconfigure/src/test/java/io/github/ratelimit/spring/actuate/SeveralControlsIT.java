package io.github.ratelimit.spring.actuate;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import io.github.ratelimit.spring.actuate.HttpOneClient.Response;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of requests that control several keys, or a key in all policies.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("long")
class SeveralControlsIT {

	private static final String KEY = ControlEndpointIT.KEY;

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void bansSeveralKeysAndTellsWhichAreRefused(WebApplicationType type, CapturedOutput output) {
		try (ConfigurableApplicationContext application = application(type)) {
			Response set = post(application, "ban",
					"'policy': 'open', 'keys': '" + KEY + ", client-ip:192.0.2.8,principal:eve', 'for': 'ever'");
			assertThat(set.statusCode()).isEqualTo(200);
			assertThat(JsonPath.<List<String>>read(set.body(), "$.set[*].key")).containsExactly(KEY,
					"client-ip:192.0.2.8");
			assertThat(JsonPath.<List<String>>read(set.body(), "$.set[*].id")).hasSize(2)
				.allMatch((id) -> id.startsWith("ban-open-"));
			assertThat(JsonPath.<String>read(set.body(), "$.refused[0].key")).isEqualTo("principal:eve");
			assertThat(JsonPath.<String>read(set.body(), "$.refused[0].reason")).contains("is written as client-ip:");
			assertThat(get(application, "/open").statusCode()).isEqualTo(403);
			assertThat(audited(application)).containsExactly("RATE_LIMIT_BAN", "RATE_LIMIT_BAN");
			assertThat(output.getOut().lines().filter((line) -> line.contains("were controlled"))).hasSize(2)
				.noneMatch((line) -> line.contains("192.0.2.8"));
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void setsAThousandControlsAtMost(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			assertRefused(application, "'policy': 'open', 'keys': '" + keys(1001) + "', 'for': 'ever'",
					"a request sets at most 1000 controls, one for each key and policy");
			assertRefused(application, "'policy': '*', 'keys': '" + keys(501) + "', 'for': 'ever'",
					"a request sets at most 1000 controls");
			assertRefused(application, "'policy': 'open', 'keys': '', 'for': 'ever'", "the keys are missing");
			assertRefused(application, "'policy': '*', 'for': 'ever'", "the keys are missing");
			assertRefused(application, "'policy': 'open', 'key': 'a', 'keys': 'b', 'for': 'ever'",
					"the fields 'key' and 'keys' exclude each other");
			assertRefused(application, "'policy': '*', 'key': 'nonsense', 'for': 'ever'",
					"no policy has the key 'nonsense'");
			assertRefused(application, "'policy': 'open', 'keys': '" + KEY + "'", "the end of the control is missing");
			assertThat(JsonPath.<List<?>>read(get(application, "/actuator/ratelimitcontrols").body(), "$.controls"))
				.isEmpty();
			Response set = post(application, "ban", "'policy': 'open', 'keys': '" + keys(1000) + "', 'for': 'ever'");
			assertThat(JsonPath.<List<?>>read(set.body(), "$.set")).hasSize(1000);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void controlsAndShowsAKeyInAllPolicies(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			assertThat(look(application)).isEqualTo("{\"policies\":{}}");
			get(application, "/open");
			assertThat(JsonPath.<Integer>read(look(application), "$.policies.open.limits[0].remaining")).isOne();
			assertThat(look(application)).doesNotContain("second", "users");
			Response grant = post(application, "grant",
					"'policy': '*', 'key': '" + KEY + "', 'permits': 50, 'duration': '1h'");
			assertThat(JsonPath.<List<String>>read(grant.body(), "$.set[*].policy")).containsExactly("open", "second");
			assertThat(JsonPath.<List<?>>read(look(application), "$.policies.second.controls")).hasSize(1);
			Response reset = post(application, "reset", "'policy': '*', 'key': '" + KEY + "'");
			assertThat(JsonPath.<List<String>>read(reset.body(), "$.set[*].policy")).containsExactly("open", "second");
			assertThat(JsonPath.<Integer>read(look(application), "$.policies.open.limits[0].remaining")).isEqualTo(2);
			assertThat(audited(application)).containsExactly("RATE_LIMIT_GRANT", "RATE_LIMIT_GRANT", "RATE_LIMIT_RESET",
					"RATE_LIMIT_RESET");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void erasesCountsAndControlsOfAKey(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			get(application, "/open");
			post(application, "grant", "'policy': '*', 'key': '" + KEY + "', 'permits': 50, 'duration': '1h'");
			post(application, "ban", "'policy': 'open', 'key': 'client-ip:192.0.2.8', 'for': 'ever'");
			Response one = post(application, "erase", "'policy': 'second', 'key': '" + KEY + "'");
			assertThat(JsonPath.<List<String>>read(one.body(), "$.lifted")).singleElement()
				.asString()
				.startsWith("grant-second-");
			Response all = post(application, "erase", "'policy': '*', 'key': '" + KEY + "'");
			assertThat(JsonPath.<List<String>>read(all.body(), "$.set[*].policy")).containsExactly("open", "second");
			assertThat(JsonPath.<List<String>>read(all.body(), "$.lifted")).singleElement()
				.asString()
				.startsWith("grant-open-");
			assertThat(look(application)).isEqualTo("{\"policies\":{}}");
			assertThat(get(application, "/actuator/ratelimitcontrols").body()).doesNotContain("127.0.0.1")
				.contains("192.0.2.8");
			assertThat(audited(application)).containsSubsequence("RATE_LIMIT_ERASE", "RATE_LIMIT_LIFT",
					"RATE_LIMIT_ERASE", "RATE_LIMIT_ERASE", "RATE_LIMIT_LIFT");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void bansInAllPoliciesTheKeysThatTheyHave(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			Response set = post(application, "ban",
					"'policy': '*', 'keys': 'digest:0123456789abcdef," + KEY + "', 'for': 'ever'");
			assertThat(JsonPath.<List<String>>read(set.body(), "$.set[*].policy")).containsExactly("open", "second");
			assertThat(JsonPath.<List<?>>read(set.body(), "$.refused")).singleElement()
				.isEqualTo(Map.of("policy", "*", "key", "digest:0123456789abcdef", "reason", "no policy has this key"));
			assertThat(get(application, "/open").statusCode()).isEqualTo(403);
		}
	}

	private static void assertRefused(ConfigurableApplicationContext application, String fields, String detail) {
		Response refused = post(application, "ban", fields);
		assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
		assertThat(refused.body()).contains(detail);
	}

	private static List<String> audited(ConfigurableApplicationContext application) {
		return application.getBean(AuditEventRepository.class)
			.find("anonymous", null, null)
			.stream()
			.map(AuditEvent::getType)
			.toList();
	}

	private static String keys(int number) {
		return IntStream.range(0, number)
			.mapToObj((key) -> "client-ip:198.51." + key / 256 + '.' + key % 256)
			.collect(Collectors.joining(","));
	}

	private static String look(ConfigurableApplicationContext application) {
		return get(application, "/actuator/ratelimits/*?key=" + KEY).body();
	}

	private static Response get(ConfigurableApplicationContext application, String path) {
		return HttpOneClient.send(application, "GET " + path, "");
	}

	private static Response post(ConfigurableApplicationContext application, String kind, String fields) {
		return HttpOneClient.send(application, "POST /actuator/ratelimitcontrols/" + kind,
				("{" + fields + "}").replace('\'', '"'));
	}

	private static ConfigurableApplicationContext application(WebApplicationType type) {
		return ControlEndpointIT.application(type, "management.endpoint.ratelimitcontrols.access=unrestricted",
				"ratelimit.policies.second.limits=5/1h", "ratelimit.policies.second.key=client-ip",
				"ratelimit.policies.users.limits=5/1h", "ratelimit.policies.users.key=principal",
				"ratelimit.rules[1].paths=/second", "ratelimit.rules[1].policies=second",
				"ratelimit.rules[2].paths=/users", "ratelimit.rules[2].policies=users");
	}

}
