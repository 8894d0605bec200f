package io.github.ratelimit.spring.web;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The order of rules and Spring Security on every kind of server.
 */
abstract class SecurityContract {

	private static final String[] PROPERTIES = { "server.port=0", "ratelimit.store=memory",
			"ratelimit.policies.client.limits=2/1h", "ratelimit.policies.client.key=header:X-Client",
			"ratelimit.policies.user.limits=2/1h", "ratelimit.policies.user.key=principal",
			"ratelimit.rules[0].paths=/before", "ratelimit.rules[0].policies=client",
			"ratelimit.rules[0].phase=before-security", "ratelimit.rules[1].paths=/after",
			"ratelimit.rules[1].policies=user", "ratelimit.rules[2].paths=/mine", "ratelimit.rules[2].policies=client",
			"ratelimit.rules[2].when=#user.name == 'alice'", "ratelimit.policies.listed.limits=2/1h",
			"ratelimit.policies.listed.key=header:X-Client", "ratelimit.policies.listed.exempt=role:ADMIN",
			"ratelimit.policies.listed.blocked=principal:eve", "ratelimit.rules[3].paths=/ruled",
			"ratelimit.rules[3].policies=listed", "ratelimit.policies.planned.limits=2/1h",
			"ratelimit.policies.planned.key=principal",
			"ratelimit.policies.planned.plan=#principal.authorities.iterator().next().authority",
			"ratelimit.policies.planned.plans.ROLE_ADMIN=3/1h", "ratelimit.rules[4].paths=/planned",
			"ratelimit.rules[4].policies=planned", "ratelimit.policies.watched.limits=1/1h",
			"ratelimit.policies.watched.key=header:X-Client", "ratelimit.policies.watched.mode=shadow",
			"ratelimit.rules[5].paths=/watched", "ratelimit.rules[5].policies=watched,client",
			"ratelimit.rules[6].paths=/refused,/denied", "ratelimit.rules[6].policies=client" };

	static final UserDetails[] USERS = { user("alice", "USER"), user("bob", "USER"), user("carol", "ADMIN"),
			user("eve", "ADMIN") };

	@RegisterExtension
	static final SharedApplications APPLICATIONS = new SharedApplications();

	private final String client = UUID.randomUUID().toString();

	private final WebApplicationType type;

	private final Class<?> application;

	SecurityContract(WebApplicationType type, Class<?> application) {
		this.type = type;
		this.application = application;
	}

	@Test
	void limitsBeforeAnybodyIsAuthenticated() {
		assertThat(statuses("/before", "")).containsExactly(401, 401, 429, 429);
	}

	@Test
	void limitsTheAuthenticatedAloneAfterwards() {
		assertThat(statuses("/after", "")).containsOnly(401);
		assertThat(statuses("/after", "alice")).containsExactly(200, 200, 429, 429);
		assertThat(statuses("/after", "bob")).containsExactly(200, 200, 429, 429);
	}

	@Test
	void limitsNoRequestThatIsRefused() {
		assertThat(statuses("/refused", "alice")).containsOnly(403);
		assertThat(statuses("/mine", "alice")).containsExactly(200, 200, 429, 429);
	}

	@Test
	void knowsTheUserInAConditionAfterwards() {
		assertThat(statuses("/mine", "bob")).containsOnly(200);
		assertThat(statuses("/mine", "alice")).containsExactly(200, 200, 429, 429);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/ruled", "/annotated" })
	void limitsNoExemptCaller(String path) {
		assertThat(statuses(path, "carol")).containsOnly(200);
		assertThat(send(path, "carol").header("RateLimit")).isNull();
		assertThat(statuses(path, "alice")).containsExactly(200, 200, 429, 429);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/ruled", "/annotated" })
	void refusesWhoIsBlocked(String path) {
		Response response = send(path, "eve");
		assertThat(response.status()).isEqualTo(403);
		assertThat(response.header("Content-Type")).startsWith("application/problem+json");
		assertThat(response.header("Retry-After")).isNull();
		assertThat(response.body()).contains("Caller blocked", "\"violated-policies\":[\"listed\"]")
			.doesNotContain("eve");
	}

	@Test
	void limitsByThePlanOfTheUser() {
		assertThat(send("/planned", "carol").header("RateLimit-Policy")).isEqualTo("\"planned\";q=3;w=3600");
		assertThat(statuses("/planned", "carol")).containsExactly(200, 200, 429, 429);
		assertThat(statuses("/planned", "alice")).containsExactly(200, 200, 429, 429);
	}

	@Test
	void reportsNoLimitInShadow() {
		assertThat(send("/watched", "alice").header("RateLimit-Policy")).isEqualTo("\"client\";q=2;w=3600");
		assertThat(statuses("/watched", "alice")).containsExactly(200, 429, 429, 429);
	}

	private List<Integer> statuses(String path, String user) {
		return Stream.generate(() -> send(path, user).status()).limit(4).toList();
	}

	private Response send(String path, String user) {
		String credentials = Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
		Map<String, String> headers = user.isEmpty() ? Map.of("X-Client", this.client)
				: Map.of("X-Client", this.client, "Authorization", "Basic " + credentials);
		return new RealClient(port()).send("GET", path, headers, "");
	}

	private int port() {
		return APPLICATIONS.get(this.type, this::start)
			.getEnvironment()
			.getRequiredProperty("local.server.port", Integer.class);
	}

	private ConfigurableApplicationContext start() {
		return SharedApplications.on(this.type, this.application).properties(PROPERTIES).run();
	}

	private static UserDetails user(String name, String role) {
		return User.withUsername(name).password("{noop}secret").roles(role).build();
	}

	@RestController
	static class Controller {

		@GetMapping({ "/before", "/after", "/mine", "/ruled", "/planned", "/watched" })
		String respond() {
			return "ok";
		}

		@GetMapping("/denied")
		String deny() {
			return "denied";
		}

		@GetMapping("/annotated")
		@RateLimited("listed")
		String annotated() {
			return "ok";
		}

	}

}
