package io.github.ratelimit.spring.actuate;

import java.util.List;

import com.jayway.jsonpath.JsonPath;
import io.github.ratelimit.spring.actuate.HttpOneClient.Response;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the top keys that the endpoint shows, and of the status of banned callers.
 */
@Tag("long")
class TopEndpointIT {

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void showsWhoIsDeniedAndWhoSpends(WebApplicationType type) {
		try (ConfigurableApplicationContext application = ControlEndpointIT.application(type)) {
			for (int expected : List.of(200, 200, 429)) {
				assertThat(get(application, "/open").statusCode()).isEqualTo(expected);
			}
			Response top = get(application, "/actuator/ratelimits/open/top");
			assertThat(top.body()).contains("\"denied\":{\"total\":1,", "\"spent\":{\"total\":2,")
				.doesNotContain("127.0.0.1");
			String digest = JsonPath.read(top.body(), "$.denied.entries[0].key");
			assertThat(JsonPath.<Integer>read(look(application, digest).body(), "$.limits[0].remaining")).isZero();
			assertThat(look(application, "digest:0123456789abcdef").statusCode()).isEqualTo(400);
			assertThat(get(application, "/actuator/ratelimits/open/bottom").statusCode()).isEqualTo(404);
			assertThat(get(application, "/actuator/ratelimits/nope/top").statusCode()).isEqualTo(404);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void leadsFromWhoIsDeniedToABan(WebApplicationType type) {
		try (ConfigurableApplicationContext application = ControlEndpointIT.application(type,
				"management.endpoint.ratelimitcontrols.access=unrestricted", "ratelimit.policies.other.limits=1/1h")) {
			for (int expected : List.of(200, 200, 429)) {
				assertThat(get(application, "/open").statusCode()).isEqualTo(expected);
			}
			Response top = get(application, "/actuator/ratelimits/*/top");
			assertThat(JsonPath.<List<String>>read(top.body(), "$.denied[*].policy")).containsExactly("open");
			assertThat(JsonPath.<List<String>>read(top.body(), "$.spent[*].policy")).containsExactly("open");
			String digest = JsonPath.read(top.body(), "$.denied[0].key");
			Response ban = HttpOneClient.send(application, "POST /actuator/ratelimitcontrols/ban",
					"{\"policy\": \"open\", \"key\": \"" + digest + "\", \"duration\": \"10m\"}");
			assertThat(JsonPath.<String>read(ban.body(), "$.subject")).isEqualTo(ControlEndpointIT.KEY);
			assertThat(JsonPath.<String>read(ban.body(), "$.id")).isEqualTo(digest.replace("digest:", "ban-open-"));
			assertThat(get(application, "/open").statusCode()).isEqualTo(403);
			HttpOneClient.send(application, "DELETE /actuator/ratelimitcontrols/" + JsonPath.read(ban.body(), "$.id"),
					"");
			assertThat(HttpOneClient
				.send(application, "POST /actuator/ratelimitcontrols/reset",
						"{\"policy\": \"open\", \"key\": \"" + digest + "\"}")
				.statusCode()).isEqualTo(204);
			assertThat(get(application, "/open").statusCode()).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void showsKeysOrCountsNothingAsConfigured(WebApplicationType type) {
		try (ConfigurableApplicationContext application = ControlEndpointIT.application(type,
				"ratelimit.top.show-keys=true")) {
			get(application, "/open");
			assertThat(get(application, "/actuator/ratelimits/open/top").body()).contains(ControlEndpointIT.KEY);
		}
		try (ConfigurableApplicationContext application = ControlEndpointIT.application(type,
				"ratelimit.top.enabled=false")) {
			assertThat(get(application, "/actuator/ratelimits/open/top").body())
				.contains("set 'ratelimit.top.enabled' to 'true'");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void refusesABannedCallerWithTheConfiguredStatus(WebApplicationType type) {
		try (ConfigurableApplicationContext application = ControlEndpointIT.application(type,
				"management.endpoint.ratelimitcontrols.access=unrestricted", "ratelimit.http.banned-status=429")) {
			HttpOneClient.send(application, "POST /actuator/ratelimitcontrols/ban",
					"{\"policy\": \"open\", \"key\": \"" + ControlEndpointIT.KEY + "\", \"duration\": \"10m\"}");
			Response banned = get(application, "/open");
			assertThat(banned.statusCode()).isEqualTo(429);
			assertThat(banned.body()).contains("Caller blocked");
			assertThat(banned.toString()).doesNotContainIgnoringCase("Retry-After");
		}
	}

	private static Response look(ConfigurableApplicationContext application, String key) {
		return get(application, "/actuator/ratelimits/open?key=" + key);
	}

	private static Response get(ConfigurableApplicationContext application, String path) {
		return HttpOneClient.send(application, "GET " + path, "");
	}

}
