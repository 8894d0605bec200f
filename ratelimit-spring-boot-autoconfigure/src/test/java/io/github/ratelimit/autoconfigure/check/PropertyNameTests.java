package io.github.ratelimit.autoconfigure.check;

import java.util.Map;

import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Findings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

class PropertyNameTests {

	private final ApplicationContextRunner application = RateLimitContext.inMemory();

	@ParameterizedTest
	@CsvSource({ "RATELIMIT_STOMP_POLICIES, ratelimit-spring-integrations",
			"RATELIMIT_AI_TOKENS_0, ratelimit-spring-ai" })
	void refusesAnEnvironmentVariableOfAnAbsentModule(String name, String module) {
		withEnvironment(name, "x")
			.run((context) -> assertThat(context).getFailure().extracting("action").asString().contains(module));
	}

	@ParameterizedTest
	@CsvSource({ "RATELIMIT_POLICIES_EACHADDRESS_LIMITS", "RATELIMIT_POLICIES_EACHADDRESS_LIMITS_0",
			"RATELIMIT_POLICIES_EACH_ADDRESS_LIMITS" })
	void readsAnEnvironmentVariableAsThePolicyWhoseNameItSpells(String name) {
		withEnvironment(name, "2/1m")
			.withPropertyValues("ratelimit.policies.each-address.limits=5/1m", "ratelimit.rules[0].paths=/**",
					"ratelimit.rules[0].policies=each-address")
			.run((context) -> {
				assertThat(context.getBean(Policies.class).all()).extracting(Policy::name)
					.containsExactly("each-address");
				assertThat(context.getBean(Policies.class).get("each-address").limits()).hasToString("[2/1m]");
				assertThat(context.getBean(Findings.class).all()).extracting(Finding::subject)
					.doesNotContain("eachaddress");
			});
	}

	@Test
	void readsAnEnvironmentVariableAsAPolicyThatHasOtherPropertiesToo() {
		this.application
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment",
						Map.of("RATELIMIT_POLICIES_EACHADDRESS_LIMITS", "2/1m",
								"RATELIMIT_POLICIES_EACHADDRESS_PENALTY_BLOCK", "5m",
								"RATELIMIT_POLICIES_EACHADDRESS_PLANS_GOLD", "9/1m"))))
			.withPropertyValues("ratelimit.policies.each-address.limits=5/1m",
					"ratelimit.policies.each-address.key=client-ip", "ratelimit.policies.each-address.burst=4",
					"ratelimit.policies.each-address.penalty.after=20/1m",
					"ratelimit.policies.each-address.plan=principal",
					"ratelimit.policies.each-address.plans.silver=7/1m")
			.run((context) -> {
				assertThat(context.getBean(Policies.class).all()).extracting(Policy::name)
					.containsExactly("each-address");
				assertThat(context.getBean(Policies.class).get("each-address").limits()).hasToString("[2/1m]");
			});
	}

	@Test
	void keepsAPolicyOfTheEnvironmentAlone() {
		withEnvironment("RATELIMIT_POLICIES_EACHADDRESS_LIMITS", "2/1m")
			.withPropertyValues("ratelimit.policies.address.limits=2/1m",
					"ratelimit.policies[each.address].limits=5/1m")
			.run((context) -> assertThat(context.getBean(Policies.class).all()).extracting(Policy::name)
				.containsExactlyInAnyOrder("address", "each.address", "eachaddress"));
	}

	private ApplicationContextRunner withEnvironment(String name, String value) {
		return this.application.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of(name, value))));
	}

	@ParameterizedTest
	@CsvSource({ "unknown-property", "unknown-property:ratelimit.policies.x.keys" })
	void keepsAnUnknownPropertyIfIgnored(String ignored) {
		this.application
			.withPropertyValues("ratelimit.policies.x.limits=5/1m", "ratelimit.policies.x.keys=principal",
					"ratelimit.checks.ignore=" + ignored)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void knowsEveryProperty() {
		this.application
			.withPropertyValues("ratelimit.policies.x.limits[0]=5/1m", "ratelimit.policies.x.plan=header:X",
					"ratelimit.policies.x.plans.free=1/1m", "ratelimit.policies.x.plans.trial.limits=2/1m",
					"ratelimit.policies.x.plans.trial.mode=shadow", "ratelimit.policies.x.onMissingKey=deny",
					"ratelimit.policies.x.penalty.after=5/1m", "ratelimit.redis.denial-cache.max_keys=5",
					"ratelimit.checks.ignore[0]=unused-policy")
			.run((context) -> assertThat(context).hasNotFailed());
	}

}
