package io.github.ratelimit.spring.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.autoconfigure.reload.Reloads;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.LocalShare;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.actuate.PolicyReports.PenaltyReport;
import io.github.ratelimit.spring.actuate.PolicyReports.PolicyReport;
import io.github.ratelimit.spring.actuate.PolicyUses.RuleReport;
import io.github.ratelimit.spring.actuate.RateLimitsEndpoint.ConfigurationReport;
import io.github.ratelimit.spring.actuate.RateLimitsEndpoint.Report;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.ControlTime;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.control.Origin;
import io.github.ratelimit.spring.finding.LastReload;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.TestStore;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
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
	void showsTheLimitsThatTheScheduleOfAPlanSets() {
		RateLimitContext.inMemory()
			.withPropertyValues("management.endpoints.web.exposure.include=ratelimits",
					"ratelimit.policies.api.limits=10/1m", "ratelimit.policies.api.plan=header:X-Plan",
					"ratelimit.policies.api.plans.gold.limits=100/1m",
					"ratelimit.policies.api.plans.gold.schedules[0].limits=700/1m")
			.run((context) -> assertThat(Objects.requireNonNull(policy(context, "api").plans().get("gold")).limits())
				.extracting("rate")
				.containsExactly("700/1m"));
	}

	@Test
	void showsTheConfigurationInEffect() {
		RateLimitContext.inMemory()
			.withPropertyValues("management.endpoints.web.exposure.include=ratelimits", "ratelimit.reload-interval=1h",
					"ratelimit.policies.api.limits=10/1m")
			.run((context) -> {
				ConfigurationReport before = configuration(context);
				assertThat(before.digest()).matches("[0-9a-f]{16}");
				Reloads.of(context, "ratelimit.policies.api.limits=20/1m");
				ConfigurationReport after = configuration(context);
				assertThat(after.digest()).isNotEqualTo(before.digest());
				assertThat(Instant.parse(after.since())).isAfter(Instant.parse(before.since()));
			});
	}

	private static ConfigurationReport configuration(ApplicationContext context) {
		return context.getBean(RateLimitsEndpoint.class).report().configuration();
	}

	@Test
	void showsTheLastReload() {
		RateLimitContext.inMemory()
			.withPropertyValues("management.endpoints.web.exposure.include=ratelimits", "ratelimit.reload-interval=1h")
			.run((context) -> {
				assertThat(context.getBean(RateLimitsEndpoint.class).report().reload()).isNull();
				context.getBean(LastReload.class).refused("a problem");
				assertThat(context.getBean(RateLimitsEndpoint.class).report().reload()).extracting("problem")
					.isEqualTo("a problem");
			});
	}

	@Test
	void showsWhatAnOperatorHasChangedAndWhatWasConfigured() {
		RateLimitContext.inMemory()
			.withPropertyValues("management.endpoints.web.exposure.include=ratelimits",
					"ratelimit.policies.api.limits=10/1m")
			.run((context) -> {
				assertThat(policy(context, "api").change()).isNull();
				context.getBean(Controls.class)
					.replace(new Change("api", List.of("3/1m"), EnforcementMode.SHADOW, null),
							ControlTime.lasting(Duration.ofHours(1)), Origin.operator("ada", null));
				PolicyReport api = policy(context, "api");
				assertThat(api.limits()).extracting("rate").containsExactly("3/1m");
				assertThat(api.change()).satisfies((change) -> {
					assertThat(change.control().id()).isEqualTo("change-api");
					assertThat(change.control().until()).isNotNull();
					assertThat(change.control().origin()).isEqualTo("operator");
					assertThat(change.control().by()).isNull();
					assertThat(change.limits()).extracting("rate").containsExactly("10/1m");
					assertThat(change.mode()).isEqualTo("enforce");
					assertThat(change.onStoreFailure()).isEqualTo("local");
				});
				context.getBean(Controls.class).lift("change-api");
				assertThat(policy(context, "api").change()).isNull();
			});
	}

	@Test
	void showsTheLocalShareAndByWhatItDivides() {
		TestStore store = new TestStore().sharedBy(4);
		new ApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withBean(RateLimitStore.class, () -> store)
			.withPropertyValues("management.endpoints.web.exposure.include=ratelimits",
					"ratelimit.policies.half.limits=10/1m", "ratelimit.policies.half.local-share=50")
			.run((context) -> {
				RateLimitsEndpoint endpoint = context.getBean(RateLimitsEndpoint.class);
				assertThat(policy(context, "half").localShare()).isEqualTo("50");
				assertThat(endpoint.report().instances()).isNull();
				Policies policies = context.getBean(Policies.class);
				Policy half = policies.get("half");
				policies
					.replace(half.withOptions(half.options().withStoreFailure(OnStoreFailure.LOCAL, LocalShare.AUTO)));
				assertThat(policy(context, "half").localShare()).isEqualTo("auto");
				assertThat(endpoint.report().instances()).isEqualTo(4);
			});
	}

	@Test
	void showsThePenaltyOfAPolicy() {
		RateLimitContext.inMemory()
			.withPropertyValues("management.endpoints.web.exposure.include=ratelimits",
					"ratelimit.policies.api.limits=10/1m", "ratelimit.policies.login.limits=5/1m",
					"ratelimit.policies.login.penalty.after=20/1m", "ratelimit.policies.login.penalty.block=90s")
			.run((context) -> {
				assertThat(policy(context, "login").penalty()).isEqualTo(new PenaltyReport("20/1m", "90s", 2, "1d"));
				assertThat(policy(context, "api").penalty()).isNull();
			});
	}

	@Test
	void marksAPolicyThatAReloadHasRemoved() {
		RateLimitContext.inMemory()
			.withPropertyValues("management.endpoints.web.exposure.include=ratelimits", "ratelimit.reload-interval=1h",
					"ratelimit.policies.api.limits=10/1m", "ratelimit.policies.api-2.limits=10/1m")
			.run((context) -> {
				context.getBean(LastReload.class).applied(null, List.of("ratelimit.policies.api-2"), "digest");
				assertThat(policy(context, "api-2").removed()).isTrue();
				assertThat(policy(context, "api").removed()).isFalse();
			});
	}

	@ParameterizedTest
	@EnumSource(OnStoreFailure.class)
	void looksNoKeyUpWhileTheStoreFails(OnStoreFailure onStoreFailure) {
		TestStore store = new TestStore();
		new ApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withBean(RateLimitStore.class, () -> store)
			.withPropertyValues("management.endpoints.web.exposure.include=ratelimits",
					"ratelimit.policies.api.limits=10/1m", "ratelimit.policies.api.on-store-failure=" + onStoreFailure)
			.run((context) -> {
				RateLimitsEndpoint endpoint = context.getBean(RateLimitsEndpoint.class);
				assertThat(endpoint.look("api", "global", null, null).getStatus()).isEqualTo(200);
				store.fail();
				WebEndpointResponse<Object> failed = endpoint.look("api", "global", null, null);
				assertThat(failed.getStatus()).isEqualTo(503);
				assertThat(failed.getBody()).asString().startsWith("{detail=the store failed: ");
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
				assertThat(report.rules()).containsExactly(new RuleReport(List.of("/api/**"), List.of(), List.of("GET"),
						List.of("api"), "1", "after-security"));
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
			.run((context) -> assertThat(context.getBean(RateLimitsEndpoint.class).report().connection())
				.isEqualTo("limits"));
		application.withPropertyValues("ratelimit.store=memory")
			.run((context) -> assertThat(context.getBean(RateLimitsEndpoint.class).report().connection()).isNull());
	}

	private static PolicyReport policy(ApplicationContext context, String name) {
		return Objects.requireNonNull(context.getBean(RateLimitsEndpoint.class).report().policies().get(name));
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
