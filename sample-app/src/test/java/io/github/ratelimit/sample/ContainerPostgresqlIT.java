package io.github.ratelimit.sample;

import java.util.UUID;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.postgresql.PostgreSQLContainer;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample on a PostgreSQL that the test starts in a container.
 */
@Tag("docker")
@SpringBootTest(properties = { "ratelimit.store=jdbc", "ratelimit.jdbc.initialize-schema=always" })
@Testcontainers
class ContainerPostgresqlIT {

	@Container
	@ServiceConnection
	static PostgreSQLContainer postgresql = new PostgreSQLContainer("postgres:17");

	@Test
	void countsInPostgresql(@Autowired RateLimiter limiter) {
		String key = "client-ip:" + UUID.randomUUID();
		assertThat(limiter.acquire(new Charge("quotes", key, 10)).allowed()).isTrue();
		assertThat(limiter.acquire(Charge.of("quotes", key)).allowed()).isFalse();
	}

}
