package io.github.ratelimit.sample;

import java.util.UUID;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample on the Redis of its {@code compose.yaml}, which it starts.
 */
@Tag("docker")
@SpringBootTest(properties = { "ratelimit.store=redis", "spring.docker.compose.enabled=true",
		"spring.docker.compose.skip.in-tests=false" })
class ComposeRedisIT {

	@Test
	void countsInRedis(@Autowired RateLimiter limiter) {
		String key = "client-ip:" + UUID.randomUUID();
		assertThat(limiter.acquire(new Charge("quotes", key, 10)).allowed()).isTrue();
		assertThat(limiter.acquire(Charge.of("quotes", key)).allowed()).isFalse();
	}

}
