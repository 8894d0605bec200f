package io.github.ratelimit.autoconfigure.store;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * A health indicator of a Redis that is not configured. It reports an unknown state
 * rather than a Redis that is down, and does not try to connect.
 */
final class UnconfiguredRedisHealthIndicator implements HealthIndicator {

	private final HealthIndicator redis;

	private final RedisSigns signs;

	UnconfiguredRedisHealthIndicator(HealthIndicator redis, RedisSigns signs) {
		this.redis = redis;
		this.signs = signs;
	}

	@Override
	public @Nullable Health health() {
		return this.signs.first().isPresent() ? this.redis.health()
				: Health.unknown().withDetail("reason", "No Redis is configured").build();
	}

}
