package io.github.ratelimit.spring.actuate;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.policy.LocalShare;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class RateLimitHealthIndicatorTests {

	private static final Map<String, Object> OK = Map.of("store", "redis", "state", "ok");

	private static final Map<String, Object> DEGRADED = Map.of("store", "redis", "state", "degraded", "failing",
			"Redis at localhost:6379", "notLimiting", List.of("quotes"));

	private final RateLimitStore store = mock();

	@ParameterizedTest
	@EnumSource
	void isUpInEveryStateAndShowsPoliciesThatDoNotLimit(BreakerState breaker) {
		given(this.store.name()).willReturn("redis");
		given(this.store.description()).willReturn("Redis at localhost:6379");
		given(this.store.breakerState()).willReturn(breaker);
		Policies policies = new Policies(
				List.of(policy("login", OnStoreFailure.DENY), policy("quotes", OnStoreFailure.ALLOW)));
		Health health = new RateLimitHealthIndicator(this.store, policies).health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails())
			.containsExactlyInAnyOrderEntriesOf((breaker == BreakerState.CLOSED) ? OK : DEGRADED);
	}

	@ParameterizedTest
	@EnumSource
	void showsTheLatestFailureAlsoWhenItIsOver(BreakerState breaker) {
		Instant at = Instant.parse("2026-11-22T10:00:00Z");
		given(this.store.name()).willReturn("redis");
		given(this.store.description()).willReturn("Redis at localhost:6379");
		given(this.store.breakerState()).willReturn(breaker);
		given(this.store.lastFailure()).willReturn(new StoreFailure(Kind.OOM, "OOM command not allowed", at));
		Health health = new RateLimitHealthIndicator(this.store, new Policies(List.of())).health();
		assertThat(health.getDetails()).containsEntry("lastFailure",
				Map.of("kind", "oom", "at", at, "reply", "OOM command not allowed"));
	}

	@ParameterizedTest
	@EnumSource
	void showsTheInstancesByWhichAPolicyDividesItsLimits(BreakerState breaker) {
		given(this.store.name()).willReturn("redis");
		given(this.store.description()).willReturn("Redis at localhost:6379");
		given(this.store.breakerState()).willReturn(breaker);
		given(this.store.instances()).willReturn(4);
		Policy whole = policy("quotes", OnStoreFailure.LOCAL);
		Policies policies = new Policies(List.of(whole));
		RateLimitHealthIndicator indicator = new RateLimitHealthIndicator(this.store, policies);
		assertThat(indicator.health().getDetails()).doesNotContainKey("instances");
		policies.replace(whole.withOptions(whole.options().withStoreFailure(OnStoreFailure.LOCAL, LocalShare.AUTO)));
		assertThat(indicator.health().getDetails()).containsEntry("instances", 4);
	}

	@Test
	void isPartOfTheApplicationsHealth() {
		RateLimitContext.inMemory()
			.withConfiguration(AutoConfigurations.of(HealthContributorAutoConfiguration.class,
					HealthContributorRegistryAutoConfiguration.class))
			.run((context) -> assertThat(context.getBean(HealthContributorRegistry.class).getContributor("ratelimit"))
				.isInstanceOf(RateLimitHealthIndicator.class));
	}

	@Test
	void canBeTurnedOff() {
		RateLimitContext.inMemory()
			.withPropertyValues("management.health.ratelimit.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RateLimitHealthIndicator.class));
	}

	private static Policy policy(String name, OnStoreFailure onStoreFailure) {
		return new Policy(name, List.of(Limit.parse("9/1h", Algorithm.TOKEN_BUCKET)), List.of("global"))
			.withOptions(PolicyOptions.STANDARD.withStoreFailure(onStoreFailure, 100));
	}

}
