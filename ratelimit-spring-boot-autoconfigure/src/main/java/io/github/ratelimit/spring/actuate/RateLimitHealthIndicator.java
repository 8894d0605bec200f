package io.github.ratelimit.spring.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreFailure;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * A health indicator that shows whether the store decides, and its latest failure. It is
 * up even if the store fails: to take an instance out of service would not help, as the
 * others have the same store.
 */
public final class RateLimitHealthIndicator implements HealthIndicator {

	private final RateLimitStore store;

	private final Policies policies;

	/**
	 * Creates an indicator.
	 * @param store the store of the limiter
	 * @param policies the policies, of which some may not limit calls while the store
	 * fails
	 */
	public RateLimitHealthIndicator(RateLimitStore store, Policies policies) {
		this.store = store;
		this.policies = policies;
	}

	@Override
	public Health health() {
		Health.Builder health = Health.up().withDetail("store", this.store.name());
		StoreFailure last = this.store.lastFailure();
		if (last != null) {
			health.withDetail("lastFailure", details(last));
		}
		if (this.policies.haveAutoShares()) {
			health.withDetail("instances", this.store.instances());
		}
		return (this.store.breakerState() == BreakerState.CLOSED) ? health.withDetail("state", "ok").build()
				: health.withDetail("state", "degraded")
					.withDetail("failing", this.store.description())
					.withDetail("notLimiting", notLimiting())
					.build();
	}

	private static Map<String, Object> details(StoreFailure failure) {
		Map<String, Object> details = new LinkedHashMap<>(Map.of("kind", failure.kind().id(), "at", failure.at()));
		if (failure.reply() != null) {
			details.put("reply", failure.reply());
		}
		return details;
	}

	private List<String> notLimiting() {
		return this.policies.all()
			.stream()
			.filter((policy) -> policy.options().onStoreFailure() == OnStoreFailure.ALLOW)
			.map(Policy::name)
			.toList();
	}

}
