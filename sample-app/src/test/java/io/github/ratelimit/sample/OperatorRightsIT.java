package io.github.ratelimit.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

import io.github.ratelimit.spring.control.Controls;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rights of operators on a management port of its own.
 */
@Tag("long")
class OperatorRightsIT {

	private static final List<String> LOOKS = List.of("ratelimitcontrols", "ratelimits/quotes",
			"ratelimits/quotes?key=client-ip:192.0.2.1", "ratelimits/quotes/top", "health/ratelimit");

	private static final String RESET = "{\"policy\": \"quotes\", \"key\": \"client-ip:192.0.2.1\"}";

	private static final String BAN = RESET.replace("}", ", \"for\": \"ever\"}");

	private final HttpClient client = HttpClient.newHttpClient();

	@Test
	void areNeededOnAManagementPort() throws Exception {
		try (ConfigurableApplicationContext sample = sample("--spring.security.user.roles=OPERATOR")) {
			for (String password : new @Nullable String[] { null, "guess" }) {
				assertRefused(sample, password, 401);
			}
			assertThat(status(sample, "ratelimitcontrols/ban", BAN, "secret")).isEqualTo(200);
			assertThat(sample.getBean(Controls.class).active()).hasSize(1);
		}
	}

	@Test
	void areNotThoseOfEveryUser() throws Exception {
		try (ConfigurableApplicationContext sample = sample("--spring.security.user.roles=VISITOR")) {
			assertRefused(sample, "secret", 403);
		}
	}

	private void assertRefused(ConfigurableApplicationContext sample, @Nullable String password, int status)
			throws Exception {
		for (String look : LOOKS) {
			assertThat(status(sample, look, null, password)).as(look).isEqualTo(status);
		}
		assertThat(status(sample, "ratelimitcontrols/ban", BAN, password)).isEqualTo(status);
		assertThat(status(sample, "ratelimitcontrols/reset", RESET, password)).isEqualTo(status);
		assertThat(sample.getBean(Controls.class).active()).isEmpty();
	}

	private int status(ConfigurableApplicationContext sample, String path, @Nullable String body,
			@Nullable String password) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest
			.newBuilder(URI.create("http://localhost:"
					+ sample.getEnvironment().getRequiredProperty("local.management.port") + "/actuator/" + path))
			.header("Content-Type", "application/json");
		if (password != null) {
			request.header("Authorization", "Basic "
					+ Base64.getEncoder().encodeToString(("ada:" + password).getBytes(StandardCharsets.UTF_8)));
		}
		HttpRequest sent = (body != null) ? request.POST(BodyPublishers.ofString(body)).build() : request.build();
		return this.client.send(sent, BodyHandlers.discarding()).statusCode();
	}

	private static ConfigurableApplicationContext sample(String roles) {
		return SpringApplication.run(SampleApplication.class, "--server.port=0", "--management.server.port=0", roles);
	}

}
