package io.github.ratelimit.spring.actuate;

import java.util.List;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the endpoints of an application whose limits are in shadow.
 */
class ShadowEndpointIT {

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void showWhoWouldBeDenied(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			assertThat(statuses(application)).containsOnly(200);
			String top = get(application, "/actuator/ratelimits/open/top");
			assertThat(JsonPath.<List<String>>read(top, "$.shadowDenied.entries[*].key"))
				.containsExactly(ControlEndpointIT.KEY);
			assertThat(JsonPath.<Integer>read(top, "$.denied.total")).isZero();
			String any = get(application, "/actuator/ratelimits/*/top");
			assertThat(JsonPath.<List<String>>read(any, "$.shadowDenied[*].policy")).containsExactly("open");
			assertThat(get(application, "/actuator/ratelimits/open")).contains("\"mode\":\"shadow\"",
					"\"enforce\":\"0%\"");
		}
	}

	/** The only caller has the place 69 of a hundred. */
	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void enforceAPolicyForAGrowingShareOfKeys(WebApplicationType type) {
		try (ConfigurableApplicationContext application = application(type)) {
			assertThat(statuses(application)).containsOnly(200);
			enforce(application, "69%");
			assertThat(statuses(application)).containsOnly(200);
			assertThat(isKeyInShadow(application)).isTrue();
			enforce(application, "70%");
			assertThat(statuses(application)).containsOnly(429);
			assertThat(isKeyInShadow(application)).isFalse();
			String policy = get(application, "/actuator/ratelimits/open");
			assertThat(JsonPath.<String>read(policy, "$.enforce")).isEqualTo("70%");
			assertThat(JsonPath.<String>read(policy, "$.mode")).isEqualTo("enforce");
			assertThat(JsonPath.<String>read(policy, "$.change.enforce")).isEqualTo("0%");
			assertThat(JsonPath.<String>read(policy, "$.change.control.effect.enforce")).isEqualTo("70%");
			HttpOneClient.send(application, "DELETE /actuator/ratelimitcontrols/change-open", "");
			assertThat(statuses(application)).containsOnly(200);
		}
	}

	private static void enforce(ConfigurableApplicationContext application, String share) {
		assertThat(HttpOneClient
			.send(application, "POST /actuator/ratelimitcontrols/change",
					"{\"policy\": \"open\", \"enforce\": \"" + share + "\", \"for\": \"ever\"}")
			.statusCode()).isEqualTo(200);
	}

	private static boolean isKeyInShadow(ConfigurableApplicationContext application) {
		return JsonPath.read(get(application, "/actuator/ratelimits/open?key=" + ControlEndpointIT.KEY),
				"$.limits[0].shadow");
	}

	private static List<Integer> statuses(ConfigurableApplicationContext application) {
		return Stream.generate(() -> HttpOneClient.send(application, "GET /open", "").statusCode()).limit(3).toList();
	}

	private static String get(ConfigurableApplicationContext application, String path) {
		return HttpOneClient.send(application, "GET " + path, "").body();
	}

	private static ConfigurableApplicationContext application(WebApplicationType type) {
		return ControlEndpointIT.application(type, "ratelimit.mode=shadow", "ratelimit.top.show-keys=true",
				"management.endpoint.ratelimitcontrols.access=unrestricted");
	}

}
