package io.github.ratelimit.spring.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import com.jayway.jsonpath.JsonPath;
import io.github.ratelimit.spring.actuate.HttpOneClient.Response;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of controls that operators set to begin later.
 */
@Tag("long")
class TimedControlEndpointIT {

	private static final String CONTROLS = "/actuator/ratelimitcontrols";

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void waitUntilTheyAreLifted(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			Instant begin = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofDays(3));
			Response set = post(application, "change",
					"\"limits\": \"9/1h\", \"from\": \"" + begin + "\", \"duration\": \"2d\", \"reason\": \"sale\"");
			String id = "change-open@" + begin;
			assertThat(JsonPath.<String>read(set.body(), "$.id")).isEqualTo(id);
			assertThat(JsonPath.<String>read(set.body(), "$.until"))
				.isEqualTo(begin.plus(2, ChronoUnit.DAYS).toString());
			Response all = get(application, CONTROLS);
			assertThat(JsonPath.<List<?>>read(all.body(), "$.controls")).isEmpty();
			assertThat(JsonPath.<String>read(all.body(), "$.waiting[0].from")).isEqualTo(begin.toString());
			Response policy = get(application, "/actuator/ratelimits/open");
			assertThat(policy.body()).contains("2/1h").doesNotContain("9/1h");
			assertThat(get(application, "/actuator/metrics/ratelimit.controls?tag=kind:change").body())
				.contains("\"value\":0.0");
			assertThat(HttpOneClient.send(application, "DELETE " + CONTROLS + "/" + id, "").statusCode())
				.isEqualTo(204);
			assertThat(JsonPath.<List<?>>read(get(application, CONTROLS).body(), "$.waiting")).isEmpty();
			assertThat(application.getBean(AuditEventRepository.class).find("anonymous", null, null))
				.allSatisfy((event) -> assertThat(event.getData()).containsEntry("from", begin.toString()))
				.hasSize(2);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void begin(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			post(application, "ban", "\"key\": \"" + ControlEndpointIT.KEY + "\", \"for\": \"ever\", \"from\": \""
					+ Instant.now().plusMillis(500) + "\"");
			assertThat(get(application, "/open").statusCode()).isEqualTo(200);
			await().atMost(Duration.ofSeconds(5)).until(() -> get(application, "/open").statusCode() == 403);
			assertThat(JsonPath.<List<?>>read(get(application, CONTROLS).body(), "$.controls[*].from")).hasSize(1);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void sayWhatIsWrongWithTheirBegin(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			String ban = "\"key\": \"" + ControlEndpointIT.KEY + "\", ";
			assertRefused(application, "ban", ban + "\"for\": \"ever\", \"from\": \"friday\"",
					"the field 'from' is 'friday', which it cannot be: write an instant, such as 20");
			assertRefused(application, "ban", ban + "\"for\": \"ever\", \"from\": \"2026-11-26T00:00\"",
					"or a local time and its zone");
			assertRefused(application, "ban", ban + "\"for\": \"ever\", \"from\": \"2000-01-01T00:00:00Z\"",
					"write a 'from' within the next 366d, or leave it out to begin at once");
			assertRefused(application, "ban",
					ban + "\"from\": \"2090-01-02T00:00:00Z\", \"until\": \"2090-01-01T00:00:00Z\"",
					"the control begins at 2090-01-02T00:00:00Z, but ends at 2090-01-01T00:00:00Z");
			assertRefused(application, "ban", ban + "\"from\": \"2090-01-02T00:00:00Z\"",
					"the end of the control is missing");
			assertRefused(application, "reset", ban + "\"from\": \"2090-01-02T00:00:00Z\"",
					"the field 'from' is unknown: the fields of 'reset' are policy, key\"");
			assertThat(get(application, CONTROLS).body()).isEqualTo("{\"controls\":[],\"waiting\":[],\"skipped\":{}}");
		}
	}

	private static void assertRefused(ConfigurableApplicationContext application, String kind, String fields,
			String detail) {
		Response refused = post(application, kind, fields);
		assertThat(refused.statusCode()).as(fields).isEqualTo(400);
		assertThat(refused.body()).contains(detail);
	}

	private static Response post(ConfigurableApplicationContext application, String kind, String fields) {
		return HttpOneClient.send(application, "POST " + CONTROLS + "/" + kind,
				"{\"policy\": \"open\", " + fields + "}");
	}

	private static Response get(ConfigurableApplicationContext application, String path) {
		return HttpOneClient.send(application, "GET " + path, "");
	}

	private static ConfigurableApplicationContext application(WebApplicationType type) {
		return ControlEndpointIT.application(type, "management.endpoint.ratelimitcontrols.access=unrestricted");
	}

}
