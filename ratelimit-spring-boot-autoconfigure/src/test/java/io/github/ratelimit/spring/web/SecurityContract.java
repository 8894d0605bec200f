package io.github.ratelimit.spring.web;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where rules stand beside Spring Security, whatever serves the requests.
 */
abstract class SecurityContract {

	static final String[] PROPERTIES = { "ratelimit.store=memory", "ratelimit.policies.client.limits=2/1h",
			"ratelimit.policies.client.key=header:X-Client", "ratelimit.policies.user.limits=2/1h",
			"ratelimit.policies.user.key=principal", "ratelimit.rules[0].paths=/before",
			"ratelimit.rules[0].policies=client", "ratelimit.rules[0].phase=before-security",
			"ratelimit.rules[1].paths=/after", "ratelimit.rules[1].policies=user", "ratelimit.rules[2].paths=/mine",
			"ratelimit.rules[2].policies=client", "ratelimit.rules[2].when=#request.principal == 'alice'" };

	private final String client = UUID.randomUUID().toString();

	abstract Answer send(String method, String path, Map<String, String> headers, String body);

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
	void knowsTheUserInAConditionAfterwards() {
		assertThat(statuses("/mine", "bob")).containsOnly(200);
		assertThat(statuses("/mine", "alice")).containsExactly(200, 200, 429, 429);
	}

	private List<Integer> statuses(String path, String user) {
		String credentials = Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
		Map<String, String> headers = user.isEmpty() ? Map.of("X-Client", this.client)
				: Map.of("X-Client", this.client, "Authorization", "Basic " + credentials);
		return Stream.generate(() -> send("GET", path, headers, "").status()).limit(4).toList();
	}

}
