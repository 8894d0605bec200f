package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.Objects;

import io.github.ratelimit.autoconfigure.reload.Reloads;
import io.github.ratelimit.key.PermitsResolver;
import io.github.ratelimit.policy.CallerSelectors.OwnPermits;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.finding.Findings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The properties of permits that calls tell.
 */
class PermitsConfigurationTests {

	private final ApplicationContextRunner runner = RateLimitContext.inMemory()
		.withPropertyValues("ratelimit.policies.api.limits=10/1m", "ratelimit.policies.api.key=principal");

	@Test
	void haveAWordAndACeiling() {
		permits("claim:rpm", 1000)
			.run((context) -> assertThat(policyPermits(context)).isEqualTo(new OwnPermits("claim:rpm", 1000)));
	}

	@Test
	void comeWithAReload() {
		this.runner
			.withPropertyValues("ratelimit.reload-interval=1h", "ratelimit.rules[0].paths=/**",
					"ratelimit.rules[0].policies=api")
			.run((context) -> {
				Reloads.of(context, "ratelimit.policies.api.permits=claim:rpm",
						"ratelimit.policies.api.max-permits=30");
				assertThat(policyPermits(context)).isEqualTo(new OwnPermits("claim:rpm", 30));
			});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					permits=claim:rpm | 'ratelimit.policies.api.max-permits' is missing, while 'ratelimit.policies.api.permits'
					max-permits=10 | 'ratelimit.policies.api.permits' is missing, while 'ratelimit.policies.api.max-permits'
					permits=claim:rpm;max-permits=0 | 'ratelimit.policies.api.max-permits' has the value '0'
					permits=rpm;max-permits=10 | 'ratelimit.policies.api.permits' has the value 'rpm'
					permits=bean:none;max-permits=10 | 'ratelimit.policies.api.permits' has the value 'bean:none'
					permits=#request.header('X-Rpm');max-permits=10 | 'ratelimit.policies.api.permits' has the value
					permits=claim:rpm;max-permits=10;limits=10/1m, 100/1h | are for a policy with one limit
					permits=claim:rpm;max-permits=9007199254740991 | too large
					permits=claim:rpm;max-permits=10;schedules[0].limits=10/1m, 100/1h | 'ratelimit.policies.api.schedules[0].limits'
					permits=claim:rpm;max-permits=9007199254740;schedules[0].limits=10/366d | 'ratelimit.policies.api.schedules[0].limits'
					permits=claim:rpm;max-permits=10;plan=claim:plan;plans.a.limits=1/1m;plans.a.schedules[0].limits=1/1m, 9/1h | 'ratelimit.policies.api.plans.a.schedules[0]'
					""")
	void stopTheStartIfTheyAreWrong(String properties, String message) {
		String[] values = List.of(properties.split(";", -1))
			.stream()
			.map((property) -> "ratelimit.policies.api." + property)
			.toArray(String[]::new);
		this.runner.withPropertyValues(values).run((context) -> {
			FailureAnalysis analysis = InvalidConfigurationTests
				.analyze(Objects.requireNonNull(context.getStartupFailure(), "it starts"));
			assertThat(analysis.getDescription()).contains(message);
			assertThat(analysis.getAction()).contains("ratelimit.policies.api.");
		});
	}

	@Test
	void areNotForPoliciesWithAReserve() {
		this.runner
			.withPropertyValues("ratelimit.policies.low.shares=api", "ratelimit.policies.low.reserve=20%",
					"ratelimit.policies.low.permits=claim:rpm", "ratelimit.policies.low.max-permits=10")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("a reserve of 20% leaves nothing of limit 1/1m"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "header:X-Rpm", "query:rpm", "cookie:rpm", "path:rpm", "#request.path.length()" })
	void areFoundIfAClientMayChooseThem(String word) {
		permits(word, 1000).run((context) -> assertThat(found(context)).singleElement()
			.asString()
			.contains("The policy 'api' has its permits from '" + word + "'", "up to 1000"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "claim:rpm", "#user.claim('rpm')", "#user.claim('rps') * 60" })
	void areNotFoundIfTheUserProvesThem(String word) {
		permits(word, 1000).run((context) -> assertThat(found(context)).isEmpty());
	}

	@Test
	void comeFromABean() {
		permits("bean:contracts", 1000).withBean("contracts", PermitsResolver.class, () -> (policy, key, call) -> 30L)
			.run((context) -> {
				assertThat(policyPermits(context)).isNotNull();
				assertThat(found(context)).isEmpty();
			});
	}

	private ApplicationContextRunner permits(String word, long most) {
		return this.runner.withPropertyValues("ratelimit.policies.api.permits=" + word,
				"ratelimit.policies.api.max-permits=" + most);
	}

	private static @Nullable OwnPermits policyPermits(ApplicationContext context) {
		return context.getBean(Policies.class).get("api").callers().permits();
	}

	private static List<String> found(ApplicationContext context) {
		return context.getBean(Findings.class)
			.all()
			.stream()
			.filter((finding) -> finding.kind() == Kind.CHOSEN_PERMITS)
			.map(Finding::message)
			.toList();
	}

}
