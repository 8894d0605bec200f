package io.github.ratelimit.sample;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.jdbc.PostgresqlProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two samples that count in one PostgreSQL.
 */
@Tag("postgresql")
class SampleOnPostgresqlIT {

	private static final String POLICY = "shared-" + System.nanoTime();

	private static final String URL = PostgresqlProcess.shared().createDatabase();

	private static final ConfigurableApplicationContext ONE = sample();

	private static final ConfigurableApplicationContext OTHER = sample();

	@AfterAll
	static void stop() {
		ONE.close();
		OTHER.close();
	}

	@Test
	void shareOneCount() {
		List<SampleClient> clients = List.of(new SampleClient(ONE), new SampleClient(OTHER));
		List<Integer> statuses = new ArrayList<>();
		for (int call = 0; call < 10; call++) {
			statuses.add(SampleClient.statusOf(clients.get(call % 2).post("/lab/" + POLICY + "?key=a", "")));
		}
		assertThat(statuses).containsExactly(200, 200, 200, 200, 200, 429, 429, 429, 429, 429);
	}

	@Test
	void nameTheirStore() {
		new SampleClient(ONE).get("/actuator/ratelimits").expectBody().jsonPath("$.store").isEqualTo("jdbc");
	}

	private static ConfigurableApplicationContext sample() {
		return SpringApplication.run(SampleApplication.class, "--spring.profiles.active=postgresql", "--server.port=0",
				"--spring.datasource.url=" + URL, "--spring.datasource.username=" + PostgresqlProcess.USER,
				"--ratelimit.jdbc.timeout=5s", "--ratelimit.policies." + POLICY + ".limits=5/1h");
	}

}
