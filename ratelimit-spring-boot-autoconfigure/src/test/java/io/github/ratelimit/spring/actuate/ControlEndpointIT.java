package io.github.ratelimit.spring.actuate;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import io.github.ratelimit.spring.actuate.HttpOneClient.Response;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the endpoints with which operators look at limits and control them.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("long")
class ControlEndpointIT {

	static final String KEY = "client-ip:127.0.0.1";

	private static final String CONTROLS = "/actuator/ratelimitcontrols";

	/** The unused one of two reactive servers on the class path. */
	private static final String TOMCAT = "org.springframework.boot.tomcat.autoconfigure.actuate.web.server."
			+ "TomcatReactiveManagementContextAutoConfiguration";

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void isNotThereUnlessAccessIsConfigured(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			assertThat(get(application, CONTROLS).statusCode()).isEqualTo(404);
			assertThat(post(application, "ban", "{\"policy\": \"open\", \"key\": \"" + KEY + "\"}").statusCode())
				.isEqualTo(404);
			assertThat(get(application, "/open").statusCode()).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void showsButDoesNotSetWithReadAccess(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type,
				"management.endpoint.ratelimitcontrols.access=read-only")) {
			assertThat(get(application, CONTROLS).body()).isEqualTo("{\"controls\":[],\"waiting\":[],\"skipped\":{}}");
			assertThat(post(application, "block", "{\"caller\": \"principal:eve\"}").statusCode()).isBetween(404, 405);
			assertThat(get(application, CONTROLS).body()).isEqualTo("{\"controls\":[],\"waiting\":[],\"skipped\":{}}");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void looksAKeyUpWithoutACharge(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			get(application, "/open");
			for (int look = 0; look < 3; look++) {
				Response report = look(application, KEY);
				assertThat(report.statusCode()).isEqualTo(200);
				assertThat(JsonPath.<Integer>read(report.body(), "$.limits[0].remaining")).isOne();
				assertThat(JsonPath.<Double>read(report.body(), "$.limits[0].retryAfter")).isZero();
				assertThat(JsonPath.<Double>read(report.body(), "$.limits[0].resetAfter")).isBetween(1700.0, 1800.0);
				assertThat(JsonPath.<String>read(report.body(), "$.limitsFrom")).isEqualTo("configuration");
			}
			assertThat(look(application, "127.0.0.1")).satisfies((refused) -> {
				assertThat(refused.statusCode()).isEqualTo(400);
				assertThat(refused.body()).contains("a key of policy 'open' is written as client-ip:...");
			});
			assertThat(JsonPath.<List<String>>read(look(application, "client-ip:192.0.2.9").body(), "$.listed"))
				.containsExactly("blocked");
			assertThat(get(application, "/actuator/ratelimits/nope").statusCode()).isEqualTo(404);
			assertThat(get(application, "/actuator/ratelimits/open").body()).contains("2/1h");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void steersAKey(WebApplicationType type, CapturedOutput output) {
		try (ConfigurableApplicationContext application = unrestricted(type)) {
			assertThat(statuses(application, 3)).containsExactly(200, 200, 429);
			assertThat(set(application, "reset", "").statusCode()).isEqualTo(204);
			assertThat(statuses(application, 3)).containsExactly(200, 200, 429);
			assertThat(set(application, "grant", "\"permits\": 2, \"duration\": \"1h\"").statusCode()).isEqualTo(200);
			assertThat(statuses(application, 3)).containsExactly(200, 200, 429);
			Response limits = set(application, "limits", "\"limits\": \"100/1h\", \"duration\": \"PT1H\"");
			assertThat(JsonPath.<String>read(limits.body(), "$.effect.limits[0]")).isEqualTo("100/1h");
			assertThat(JsonPath.<String>read(look(application, KEY).body(), "$.limitsFrom")).isEqualTo("control");
			assertThat(statuses(application, 2)).containsExactly(200, 200);
			Response ban = set(application, "ban", "\"duration\": \"10m\"");
			assertThat(statuses(application, 1)).containsExactly(403);
			assertThat(JsonPath.<List<String>>read(look(application, KEY).body(), "$.listed"))
				.containsExactly("banned");
			assertThat(JsonPath.<List<String>>read(get(application, CONTROLS).body(), "$.controls[*].kind"))
				.containsExactly("ban", "limits", "grant");
			assertThat(delete(application, JsonPath.read(ban.body(), "$.id")).statusCode()).isEqualTo(204);
			assertThat(delete(application, JsonPath.read(ban.body(), "$.id")).statusCode()).isEqualTo(404);
			assertThat(statuses(application, 1)).containsExactly(200);
			assertAudited(application, output);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void changesAPolicyAndBansNetworks(WebApplicationType type) {
		try (ConfigurableApplicationContext application = unrestricted(type)) {
			assertThat(statuses(application, 3)).containsExactly(200, 200, 429);
			Response change = post(application, "change",
					"{\"policy\": \"open\", \"mode\": \"shadow\", \"onStoreFailure\": \"deny\", \"for\": \"ever\"}");
			assertThat(change.statusCode()).isEqualTo(200);
			assertThat(statuses(application, 2)).containsExactly(200, 200);
			assertThat(get(application, "/actuator/ratelimits/open").body()).contains("\"mode\":\"shadow\"",
					"\"onStoreFailure\":\"deny\"");
			delete(application, JsonPath.read(change.body(), "$.id"));
			assertThat(statuses(application, 1)).containsExactly(429);
			Response block = post(application, "block", "{\"caller\": \"ip:127.0.0.0/24\", \"for\": \"ever\"}");
			assertThat(statuses(application, 1)).containsExactly(403);
			Response look = look(application, KEY);
			assertThat(JsonPath.<List<String>>read(look.body(), "$.listed")).containsExactly("banned");
			assertThat(JsonPath.<List<String>>read(look.body(), "$.controls[*].id"))
				.containsExactly(JsonPath.<String>read(block.body(), "$.id"));
			delete(application, JsonPath.read(block.body(), "$.id"));
			assertThat(statuses(application, 1)).containsExactly(429);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void saysWhatIsWrongWithTheFieldsOfAControl(WebApplicationType type) {
		try (ConfigurableApplicationContext application = unrestricted(type)) {
			assertRefused(application, "ban", "{\"policy\": \"open\"}",
					"the field 'key' is missing: the fields of 'ban'"
							+ " are policy, key, and one of duration, until, for");
			assertRefused(application, "ban", ban("\"duraton\": \"10m\""),
					"the field 'duraton' is unknown: the fields");
			assertRefused(application, "ban", ban("\"permits\": 5, \"for\": \"ever\""),
					"the field 'permits' is unknown");
			assertRefused(application, "ban", ban("\"kind\": \"grant\", \"for\": \"ever\""), "'kind' is unknown");
			assertRefused(application, "grant", ban("\"permits\": 5, \"for\": \"ever\""), "the field 'for' is unknown");
			assertRefused(application, "grant", ban("\"permits\": \"many\", \"duration\": \"1h\""),
					"the field 'permits' is 'many', which it cannot be: write a whole number, such as 50");
			assertRefused(application, "change", "{\"policy\": \"open\", \"mode\": \"log\", \"for\": \"ever\"}",
					"the field 'mode' is 'log', which it cannot be: write one of enforce, shadow, off");
			assertRefused(application, "change", "{\"policy\": \"open\", \"enforce\": 10, \"for\": \"ever\"}",
					"the field 'enforce' is '10', which it cannot be: write a whole percentage from 0% to 100%");
			assertRefused(application, "block", "{\"caller\": \"ip:0.0.0.0/0\", \"for\": \"ever\"}", "is too wide");
			assertRefused(application, "throttle", "{}",
					"a control is reset, erase, ban, block, limits, grant, pause, change");
			assertRefused(application, "reset", ban("\"duration\": \"1h\""), "the fields of 'reset' are policy, key\"");
			assertThat(get(application, CONTROLS).body()).isEqualTo("{\"controls\":[],\"waiting\":[],\"skipped\":{}}");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void ignoresNoMisspeltFieldOfAChange(WebApplicationType type) {
		try (ConfigurableApplicationContext application = unrestricted(type)) {
			String change = "{\"policy\": \"open\", \"limits\": \"9/1h\", \"onStoreFailur\": \"deny\", \"for\": \"ever\"}";
			assertRefused(application, "change", change,
					"the field 'onStoreFailur' is unknown: the fields of 'change' are policy, limits, mode, enforce, "
							+ "onStoreFailure, and one of duration, until, for");
			assertThat(get(application, CONTROLS).body()).isEqualTo("{\"controls\":[],\"waiting\":[],\"skipped\":{}}");
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET,local.server.port,/actuator", "REACTIVE,local.server.port,/actuator",
			"SERVLET,local.management.port,/own/actuator", "REACTIVE,local.management.port,/own/actuator" })
	void refusesABodyThatCannotBeRead(WebApplicationType type, String port, String path) {
		String server = port.contains("management") ? "0" : "";
		try (ConfigurableApplicationContext application = unrestricted(type, "management.server.port=" + server,
				"management.server.base-path=/own")) {
			for (String body : List.of("{\"policy\": \"open\",", "[", "\"ban\"", "{\"limits\": [\"1/1h\"]}",
					"nonsense")) {
				Response refused = HttpOneClient.send(application, port, "POST " + path + "/ratelimitcontrols/ban",
						body);
				assertThat(refused.statusCode()).as(body).isEqualTo(400);
			}
			assertThat(HttpOneClient.send(application, port, "GET " + path + "/ratelimitcontrols", "").body())
				.isEqualTo("{\"controls\":[],\"waiting\":[],\"skipped\":{}}");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void setsTheKindOfControlThatIsInThePath(WebApplicationType type) {
		try (ConfigurableApplicationContext application = unrestricted(type)) {
			String unknown = "the field 'control' is unknown: the kind of control is the end of the path";
			for (String value : List.of("\"reset\"", "\"ban\"", "null", "1")) {
				assertRefused(application, "ban", ban("\"for\": \"ever\", \"control\": " + value), unknown);
			}
			assertRefused(application, "ban?control=reset", ban("\"for\": \"ever\""), unknown);
			assertRefused(application, "ban?control=reset&control=ban", ban("\"for\": \"ever\""), unknown);
			assertRefused(application, "ban/reset", ban("\"for\": \"ever\""), "there is no such control");
			assertRefused(application, "", ban("\"for\": \"ever\""), "there is no such control");
			assertThat(get(application, CONTROLS).body()).isEqualTo("{\"controls\":[],\"waiting\":[],\"skipped\":{}}");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void saysWhatIsWrongWithTheEndOfAControl(WebApplicationType type) {
		try (ConfigurableApplicationContext application = unrestricted(type)) {
			assertRefused(application, "ban", ban("\"duration\": null"),
					"the end of the control is missing: write one of"
							+ " [\\\"duration\\\": \\\"10m\\\", \\\"until\\\": ");
			assertRefused(application, "ban", ban("\"duration\": \"1h\", \"until\": \"2026-11-26T00:00Z\""),
					"a control has one end, but [duration, until]");
			assertRefused(application, "ban", ban("\"duration\": 600"),
					"the duration '600' has no unit: write 600s for seconds");
			assertRefused(application, "ban", ban("\"duration\": \"10 minutes\""),
					"the field 'duration' is '10 minutes', which it cannot be: write numbers and their units");
			assertRefused(application, "ban", ban("\"duration\": \"1ns\""), "lasts for at least 1ms");
			assertRefused(application, "ban", ban("\"duration\": \"-1s\""), "lasts for at least 1ms");
			assertRefused(application, "ban", ban("\"until\": \"midnight\""),
					"the field 'until' is 'midnight', which it cannot be: write an instant, such as 20");
			assertRefused(application, "ban", ban("\"until\": \"2026-11-26T00:00\""), "or a local time and its zone");
			assertRefused(application, "ban", ban("\"until\": \"2000-01-01T00:00:00Z\""), "lasts for at least 1ms");
			assertRefused(application, "ban", ban("\"for\": \"10m\""), "write \\\"for\\\": \\\"ever\\\", or \\\"dur");
			assertThat(get(application, CONTROLS).body()).isEqualTo("{\"controls\":[],\"waiting\":[],\"skipped\":{}}");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void refusesKeysThatNoCallHas(WebApplicationType type) {
		try (ConfigurableApplicationContext application = unrestricted(type)) {
			String written = "a key of policy 'open' is written as client-ip:...";
			for (String key : List.of("principal:127.0.0.1", "global", "127.0.0.1")) {
				assertRefused(application, "ban", "{\"policy\": \"open\", \"key\": \"" + key + "\", \"for\": \"ever\"}",
						written);
				assertThat(look(application, key)).satisfies((refused) -> {
					assertThat(refused.statusCode()).isEqualTo(400);
					assertThat(refused.body()).contains(written);
				});
			}
			assertRefused(application, "ban", "{\"policy\": \"nope\", \"key\": \"" + KEY + "\", \"for\": \"ever\"}",
					"there is no policy named 'nope'");
			assertThat(look(application, "expression:42").statusCode()).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void endsAControlAsItSays(WebApplicationType type) {
		try (ConfigurableApplicationContext application = unrestricted(type)) {
			Instant soon = Instant.now().plusSeconds(7200).truncatedTo(ChronoUnit.SECONDS);
			String local = soon.atZone(ZoneId.of("Asia/Tokyo")).toLocalDateTime() + "[Asia/Tokyo]";
			for (String until : List.of(soon.toString(), local, soon.atOffset(ZoneOffset.ofHours(2)).toString())) {
				assertThat(until(set(application, "ban", "\"until\": \"" + until + "\""))).as(until).isEqualTo(soon);
			}
			assertThat(until(set(application, "ban", "\"duration\": \"14h30m\"")))
				.isBetween(Instant.now().plusSeconds(52_000), Instant.now().plusSeconds(52_200));
			assertThat(JsonPath.<String>read(set(application, "ban", "\"for\": \"ever\"").body(), "$.until")).isNull();
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void tellsWhatAControlReplaces(WebApplicationType type) {
		try (ConfigurableApplicationContext application = unrestricted(type)) {
			String limits = "{\"policy\": \"open\", \"limits\": \"9/1h\", \"duration\": \"10m\"}";
			assertThat(JsonPath.<Object>read(post(application, "change", limits).body(), "$.replaced")).isNull();
			Response mode = post(application, "change",
					"{\"policy\": \"open\", \"mode\": \"shadow\", \"for\": \"ever\"}");
			assertThat(JsonPath.<String>read(mode.body(), "$.replaced.id")).isEqualTo("change-open");
			assertThat(JsonPath.<List<String>>read(mode.body(), "$.replaced.effect.limits")).containsExactly("9/1h");
			assertThat(JsonPath.<String>read(mode.body(), "$.replaced.until")).isNotNull();
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void showsWhatIsLeftOfAGrant(WebApplicationType type) {
		try (ConfigurableApplicationContext application = unrestricted(type)) {
			set(application, "grant", "\"permits\": 5, \"duration\": \"1h\"");
			assertThat(JsonPath.<Integer>read(look(application, KEY).body(), "$.controls[0].effect.left")).isEqualTo(5);
			assertThat(statuses(application, 5)).containsOnly(200);
			Response look = look(application, KEY);
			assertThat(JsonPath.<Integer>read(look.body(), "$.limits[0].remaining")).isZero();
			assertThat(JsonPath.<Integer>read(look.body(), "$.controls[0].effect.left")).isEqualTo(2);
			assertThat(JsonPath.<Integer>read(look.body(), "$.controls[0].effect.permits")).isEqualTo(5);
		}
	}

	private void assertRefused(ConfigurableApplicationContext application, String kind, String body, String detail) {
		Response refused = post(application, kind, body);
		assertThat(refused.statusCode()).as(body).isEqualTo(400);
		assertThat(refused.body()).as(body).startsWith("{\"detail\":").contains(detail);
	}

	private static String ban(String fields) {
		return "{\"policy\": \"open\", \"key\": \"" + KEY + "\", " + fields + "}";
	}

	private static Instant until(Response set) {
		return Instant.parse(JsonPath.read(set.body(), "$.until"));
	}

	private static void assertAudited(ConfigurableApplicationContext application, CapturedOutput output) {
		List<AuditEvent> events = application.getBean(AuditEventRepository.class).find("anonymous", null, null);
		assertThat(events).extracting(AuditEvent::getType)
			.containsExactly("RATE_LIMIT_RESET", "RATE_LIMIT_GRANT", "RATE_LIMIT_LIMITS", "RATE_LIMIT_BAN",
					"RATE_LIMIT_LIFT");
		assertThat(events.toString()).doesNotContain("127.0.0.1");
		assertThat(output.getOut().lines().filter((line) -> line.contains("were controlled"))).hasSize(5)
			.noneMatch((line) -> line.contains("127.0.0.1"));
	}

	private List<Integer> statuses(ConfigurableApplicationContext application, int calls) {
		return IntStream.range(0, calls).mapToObj((call) -> get(application, "/open").statusCode()).toList();
	}

	private Response look(ConfigurableApplicationContext application, String key) {
		return get(application, "/actuator/ratelimits/open?key=" + URLEncoder.encode(key, StandardCharsets.UTF_8));
	}

	private Response set(ConfigurableApplicationContext application, String kind, String fields) {
		return post(application, kind,
				"{\"policy\": \"open\", \"key\": \"" + KEY + "\"" + (fields.isEmpty() ? "" : ", " + fields) + "}");
	}

	private Response get(ConfigurableApplicationContext application, String path) {
		return HttpOneClient.send(application, "GET " + path, "");
	}

	private Response delete(ConfigurableApplicationContext application, String id) {
		return HttpOneClient.send(application, "DELETE " + CONTROLS + "/" + id, "");
	}

	private Response post(ConfigurableApplicationContext application, String kind, String body) {
		return HttpOneClient.send(application, "POST " + CONTROLS + "/" + kind, body);
	}

	private static ConfigurableApplicationContext unrestricted(WebApplicationType type, String... properties) {
		return application(type,
				Stream
					.concat(Stream.of("management.endpoint.ratelimitcontrols.access=unrestricted"),
							Stream.of(properties))
					.toArray(String[]::new));
	}

	static ConfigurableApplicationContext application(WebApplicationType type, String... properties) {
		return new SpringApplicationBuilder(Application.class).web(type)
			.properties("spring.config.name=controls", "server.port=0", "ratelimit.store=memory",
					"management.endpoints.web.exposure.include=*", "ratelimit.policies.open.limits=2/1h",
					"ratelimit.policies.open.key=client-ip", "ratelimit.policies.open.blocked=ip:192.0.2.0/24",
					"ratelimit.rules[0].paths=/open", "ratelimit.rules[0].policies=open",
					"spring.autoconfigure.exclude=" + TOMCAT)
			.properties(properties)
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Open.class)
	static class Application {

		@Bean
		AuditEventRepository audit() {
			return new InMemoryAuditEventRepository();
		}

	}

	@RestController
	static class Open {

		@GetMapping("/open")
		String open() {
			return "open";
		}

	}

}
