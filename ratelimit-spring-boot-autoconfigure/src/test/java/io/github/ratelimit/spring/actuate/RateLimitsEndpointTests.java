package io.github.ratelimit.spring.actuate;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.spring.actuate.PolicyUses.RuleReport;
import io.github.ratelimit.spring.actuate.RateLimitsEndpoint.PolicyReport;
import io.github.ratelimit.spring.actuate.RateLimitsEndpoint.Report;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.control.LastReload;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitsEndpointTests {

	@Test
	void showsPlansAndModesButNoCallers() {
		RateLimitContext.inMemory()
			.withPropertyValues("management.endpoints.web.exposure.include=ratelimits",
					"ratelimit.policies.api.limits=10/1m", "ratelimit.policies.api.mode=shadow",
					"ratelimit.policies.api.candidate=5/1m", "ratelimit.policies.api.plan=header:X-Plan",
					"ratelimit.policies.api.plans.gold.limits=100/1m", "ratelimit.policies.api.plans.gold.mode=enforce",
					"ratelimit.policies.api.plans.internal.mode=false" /*
																		 * as YAML reads
																		 * off
																		 */,
					"ratelimit.policies.api.blocked=principal:eve")
			.run((context) -> {
				RateLimitsEndpoint endpoint = context.getBean(RateLimitsEndpoint.class);
				assertThat(endpoint.report().policies().get("api")).satisfies(RateLimitsEndpointTests::isShown);
				assertThat(endpoint.report().toString()).doesNotContain("eve");
			});
	}

	@Test
	void showsTheLastReload() {
		RateLimitContext.inMemory()
			.withPropertyValues("management.endpoints.web.exposure.include=ratelimits", "ratelimit.reload-interval=1h")
			.run((context) -> {
				assertThat(context.getBean(RateLimitsEndpoint.class).report().reload()).isNull();
				context.getBean(LastReload.class).set("a problem", List.of());
				assertThat(context.getBean(RateLimitsEndpoint.class).report().reload()).extracting("problem")
					.isEqualTo("a problem");
			});
	}

	@Test
	void showsWhatUsesAPolicy() {
		new WebApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withPropertyValues("ratelimit.store=memory", "management.endpoints.web.exposure.include=ratelimits",
					"ratelimit.policies.api.limits=10/1m", "ratelimit.rules[0].paths=/api/**",
					"ratelimit.rules[0].methods=GET", "ratelimit.rules[0].policies=api")
			.withBean(Reports.class)
			.withBean("graph", PolicyUse.class, () -> PolicyUse.of("ratelimit.graphql.policies", List.of("api")))
			.withBean("route", PolicyUse.class, () -> PolicyUse.of("a route in Java", List.of("api", "other")))
			.run((context) -> {
				Report report = context.getBean(RateLimitsEndpoint.class).report();
				assertThat(report.policies()).extractingByKey("api")
					.extracting(PolicyReport::uses)
					.asInstanceOf(InstanceOfAssertFactories.COLLECTION)
					.containsExactly("a route in Java", "ratelimit.graphql.policies");
				assertThat(report.breaker()).isEqualTo("closed");
				assertThat(report.methods()).isEqualTo(Map.of("api", Set.of("Reports.list()")));
				assertThat(report.rules()).containsExactly(
						new RuleReport(List.of("/api/**"), List.of("GET"), List.of("api"), "1", "after-security"));
				assertThat(report.reload()).isNull();
			});
	}

	@Test
	void showsTheRedisInUse() {
		ApplicationContextRunner application = new ApplicationContextRunner()
			.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withPropertyValues("management.endpoints.web.exposure.include=ratelimits")
			.withBean("limits", LettuceConnectionFactory.class, () -> new LettuceConnectionFactory("127.0.0.1", 1))
			.withBean("cache", LettuceConnectionFactory.class, () -> new LettuceConnectionFactory("127.0.0.1", 1));
		application.withPropertyValues("ratelimit.redis.connection-factory=limits")
			.run((context) -> assertThat(context.getBean(RateLimitsEndpoint.class).report().connectionFactory())
				.isEqualTo("limits"));
		application.withPropertyValues("ratelimit.store=memory")
			.run((context) -> assertThat(context.getBean(RateLimitsEndpoint.class).report().connectionFactory())
				.isNull());
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

	static class Reports {

		@RateLimited("api")
		void list() {
		}

	}

}
