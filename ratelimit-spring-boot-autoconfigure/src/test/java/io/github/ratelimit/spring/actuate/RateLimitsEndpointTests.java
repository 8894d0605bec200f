package io.github.ratelimit.spring.actuate;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.actuate.RateLimitsEndpoint.PolicyReport;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitsEndpointTests {

	@Test
	void showsPlansAndModesButNoCallers() {
		RateLimitContext.inMemory()
			.withPropertyValues("ratelimit.policies.api.limits=10/1m", "ratelimit.policies.api.mode=shadow",
					"ratelimit.policies.api.candidate=5/1m", "ratelimit.policies.api.plan=header:X-Plan",
					"ratelimit.policies.api.plans.gold.limits=100/1m", "ratelimit.policies.api.plans.gold.mode=enforce",
					"ratelimit.policies.api.plans.internal.mode=false" /*
																		 * as YAML reads
																		 * off
																		 */,
					"ratelimit.policies.api.blocked=principal:eve")
			.run((context) -> {
				RateLimitsEndpoint endpoint = new RateLimitsEndpoint(context.getBean(Policies.class),
						new MemoryRateLimitStore(1), context.getBean(RateLimiter.class),
						context.getBean(KeyResolvers.class), context.getBean(Controls.class));
				assertThat(endpoint.report().policies().get("api")).satisfies(RateLimitsEndpointTests::isShown);
				assertThat(endpoint.report().toString()).doesNotContain("eve");
			});
	}

	private static void isShown(PolicyReport api) {
		assertThat(api.mode()).isEqualTo("shadow");
		assertThat(api.candidate()).extracting("rate").containsExactly("5/1m");
		assertThat(api.plans()).containsOnlyKeys("gold", "internal");
		assertThat(api.plans()).extractingByKey("gold").hasFieldOrPropertyWithValue("mode", "enforce");
		assertThat(api.plans()).extractingByKey("gold").extracting("limits").asString().contains("rate=100/1m");
		assertThat(api.plans()).extractingByKey("internal").hasFieldOrPropertyWithValue("mode", "off");
		assertThat(api.plans()).extractingByKey("internal").hasFieldOrPropertyWithValue("limits", api.limits());
	}

}
