package io.github.ratelimit.sample;

import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample, whose Redis is not there.
 */
@Tag("long")
class SampleWithoutStoreIT {

	private static final ConfigurableApplicationContext SAMPLE = SpringApplication.run(SampleApplication.class,
			"--spring.profiles.active=redis", "--server.port=0", "--spring.data.redis.port=1");

	private final SampleClient client = new SampleClient(SAMPLE);

	@AfterAll
	static void stop() {
		SAMPLE.close();
	}

	@Test
	void letsNobodyLogIn() {
		this.client.post("/login?user=ada&password=secret", "")
			.expectStatus()
			.isEqualTo(503)
			.expectHeader()
			.valueEquals("Retry-After", "1")
			.expectHeader()
			.contentType("application/problem+json")
			.expectBody()
			.jsonPath("$.type")
			.isEqualTo("https://iana.org/assignments/http-problem-types#temporary-reduced-capacity");
	}

	/** Does what the page on failures tells an operator to do. */
	@Test
	void letsOperatorsReadItsHealthAndControlsButGuessNoPassword() {
		assertThat(this.client.statusAs("ada", "secret", "/actuator/health/ratelimit")).isEqualTo(200);
		assertThat(this.client.statusAs("ada", "secret", "/actuator/ratelimitcontrols")).isEqualTo(200);
		for (int guess = 0; guess < 20; guess++) {
			assertThat(this.client.statusAs("bea", "guess", "/actuator/ratelimitcontrols")).isEqualTo(401);
		}
		assertThat(this.client.statusAs("bea", "guess", "/actuator/ratelimitcontrols")).isEqualTo(429);
	}

	@Test
	void decidesInTheLabOnItsOwn() {
		this.client.post("/lab/lab?key=a", "")
			.expectStatus()
			.isOk()
			.expectHeader()
			.exists("RateLimit")
			.expectBody()
			.jsonPath("$.allowed")
			.isEqualTo(true)
			.jsonPath("$.remaining")
			.isEqualTo(4);
	}

	@Test
	void limitsSearchesOnItsOwn() {
		List<Integer> statuses = this.client.statusesOf(40, "/search?text=wins");
		assertThat(statuses.subList(0, 30)).containsOnly(200);
		assertThat(statuses).contains(429);
	}

}
