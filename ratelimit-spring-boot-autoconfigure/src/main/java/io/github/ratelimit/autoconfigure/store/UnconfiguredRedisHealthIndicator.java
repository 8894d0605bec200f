package io.github.ratelimit.autoconfigure.store;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * A health indicator of a Redis that is not configured: unknown, rather than down, while
 * there is none.
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
		Health health = this.redis.health();
		if (health == null || health.getStatus().equals(Status.UP) || this.signs.first().isPresent()) {
			return health;
		}
		return Health.unknown()
			.withDetail("reason", "No Redis is configured, and there is none at the default address")
			.build();
	}

}
