package io.github.ratelimit.spring.actuate;

import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.RateLimitStore;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Tells whether the store decides. It is up even while it does not: taking an instance
 * out of service would help nobody, as the others have the same store.
 */
public final class RateLimitHealthIndicator implements HealthIndicator {

	private final RateLimitStore store;

	/**
	 * An indicator.
	 * @param store whose state to tell
	 */
	public RateLimitHealthIndicator(RateLimitStore store) {
		this.store = store;
	}

	@Override
	public Health health() {
		boolean decides = this.store.breakerState() == BreakerState.CLOSED;
		return Health.up()
			.withDetail("store", this.store.name())
			.withDetail("state", decides ? "ok" : "degraded")
			.build();
	}

}
