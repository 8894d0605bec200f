package io.github.ratelimit.spring.actuate;

import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.RateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class RateLimitHealthIndicatorTests {

	private final RateLimitStore store = mock();

	@ParameterizedTest
	@CsvSource({ "CLOSED, ok", "HALF_OPEN, degraded", "OPEN, degraded" })
	void isUpInEveryStateAndTellsIt(BreakerState breaker, String state) {
		given(this.store.name()).willReturn("redis");
		given(this.store.breakerState()).willReturn(breaker);
		Health health = new RateLimitHealthIndicator(this.store).health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsOnly(entry("store", "redis"), entry("state", state));
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

}
