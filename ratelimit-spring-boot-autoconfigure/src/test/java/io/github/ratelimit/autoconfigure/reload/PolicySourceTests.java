package io.github.ratelimit.autoconfigure.reload;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.PolicySource;
import io.github.ratelimit.spring.control.Penalties;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.finding.LastReload;
import io.github.ratelimit.spring.finding.LastReload.InEffect;
import io.github.ratelimit.spring.finding.LastReload.Reload;
import io.github.ratelimit.spring.web.RateLimitRule;
import io.github.ratelimit.spring.web.RateLimitRules;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
@Tag("long")
class PolicySourceTests {

	private static final String LIMITS = "ratelimit.policies.sourced.limits";

	private static final String[] PROPERTIES_OF_RULES = { "ratelimit.store=memory",
			"ratelimit.policies.configured.limits=1/1h", "ratelimit.rules[0].paths=/configured",
			"ratelimit.rules[0].policies=configured" };

	private final Source source = new Source();

	private final ApplicationContextRunner application = RateLimitContext.inMemory()
		.withBean(PolicySource.class, () -> this.source)
		.withPropertyValues("ratelimit.policies.configured.limits=1/1h", "ratelimit.policy-source.interval=1h");

	@Test
	void putsPoliciesNextToThoseOfTheConfigurationBeforeTheFirstCall() {
		this.source.properties = Map.of(LIMITS, List.of("2/1h", "9/1d"), "ratelimit.policies.sourced.key", "principal");
		this.application.withBean(Service.class).run((context) -> {
			assertThat(context.getBean(Policies.class).names()).containsExactly("configured", "sourced");
			assertThat(limits(context)).isEqualTo("[2/1h, 9/1d]");
			context.getBean(Service.class).call();
			assertThat(context.getBean(LastReload.class).get()).isNull();
		});
	}

	@Test
	void appliesWhatTheSourceReturnsNextAndKeepsCounts() {
		this.source.properties = Map.of(LIMITS, "2/1h");
		this.application.run((context) -> {
			assertThat(admitted(context)).isEqualTo(2);
			this.source.properties = Map.of(LIMITS, "5/1h", "ratelimit.policies.added.limits", "1/1s");
			assertThat(Reloads.poll(context).problem()).isNull();
			assertThat(admitted(context)).isEqualTo(3);
			assertThat(context.getBean(Policies.class).names()).contains("added");
		});
	}

	@Test
	void namesPoliciesThatTheSourceNoLongerReturnsUntilTheRestart() {
		this.source.properties = Map.of(LIMITS, "2/1h");
		this.application.run((context) -> {
			this.source.properties = Map.of(LIMITS, "2/1h", "ratelimit.policies.added.limits", "1/1s");
			assertThat(Reloads.poll(context).needRestart()).isEmpty();
			this.source.properties = Map.of();
			assertThat(Reloads.poll(context).needRestart()).containsExactly("ratelimit.policies.added",
					"ratelimit.policies.sourced");
			this.source.properties = Map.of("ratelimit.policies.other.limits", "1/1s",
					"ratelimit.policies.other.schedules[0].limits", "1/1s", "ratelimit.policies.added.limits", "1/1s");
			assertThat(Reloads.poll(context).needRestart()).containsExactly("ratelimit.policies.sourced");
		});
	}

	@Test
	void refusesAPolicyThatIsConfiguredToo() {
		this.source.properties = Map.of("ratelimit.policies.configured.limits", "2/1h");
		this.application.run((context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOf(InvalidRateLimitConfigurationException.class)
			.hasMessage("The policy 'configured' is both in 'ratelimit.policies.configured' of the configuration "
					+ "and in the policy source"));
		this.source.properties = Map.of(LIMITS, "2/1h");
		this.application.run((context) -> {
			this.source.properties = Map.of("ratelimit.policies.configured.limits", "2/1h", LIMITS, "3/1h");
			assertThat(Reloads.poll(context).problem()).contains("The policy 'configured' is both in");
			assertThat(limits(context)).isEqualTo("[2/1h]");
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = {
			"ratelimit.store | memory | returned the property 'ratelimit.store', but it returns policies and rules alone",
			"policies.sourced.limits | 2/1h | returned the property 'policies.sourced.limits'",
			"ratelimit.policies.sourced.limit | 2/1h | 'ratelimit.policies.sourced.limit' does not exist",
			"ratelimit.policies.sourced | 2/1h | 'ratelimit.policies.sourced' has the value '2/1h', but it is a group",
			"ratelimit.policies.sourced.limits | often | 'ratelimit.policies.sourced.limits[0]' has the value 'often'",
			"ratelimit.policies.sourced.limits | ${user.name} | has the value '${user.name}'",
			"ratelimit.policies.sourced.limits | ${java.io.tmpdir:9/1m} | has the value '${java.io.tmpdir:9/1m}'",
			"ratelimit.policies.a:b.limits | 2/1h | would be read as 'ratelimit.policies.ab.limits'",
			"ratelimit.policies.a b.limits | 2/1h | would be read as 'ratelimit.policies.ab.limits'",
			"ratelimit.policies.~instances.limits | 2/1h | would be read as 'ratelimit.policies.instances.limits'" })
	void refusesWhatIsNoPolicyOrRule(String property, String value, String message) {
		this.source.properties = Map.of(property, value);
		this.application.run((context) -> assertThat(context).getFailure().hasStackTraceContaining(message));
		this.source.properties = Map.of(LIMITS, "2/1h");
		this.application.run((context) -> {
			this.source.properties = Map.of(property, value);
			assertThat(Reloads.poll(context).problem()).contains(message);
			assertThat(limits(context)).isEqualTo("[2/1h]");
		});
	}

	@Test
	void keepsWhatTheSourceReturnedWhileItFails(CapturedOutput output) {
		this.source.properties = Map.of(LIMITS, "2/1h");
		this.application.run((context) -> {
			this.source.failure = new IllegalStateException("password=secret");
			Reload failed = Reloads.poll(context);
			assertThat(failed.problem()).contains("java.lang.IllegalStateException").doesNotContain("secret");
			assertThat(Reloads.poll(context)).isSameAs(failed);
			assertThat(output).containsOnlyOnce("The policy source failed with java.lang.IllegalStateException");
			assertThat(limits(context)).isEqualTo("[2/1h]");
			Reload changed = Reloads.of(context, "ratelimit.policies.configured.limits=7/1h");
			assertThat(context.getBean(Policies.class).get("configured").limits()).hasToString("[7/1h]");
			assertThat(changed.problem()).contains("java.lang.IllegalStateException");
			assertThat(changed.needRestart()).isEmpty();
			InEffect before = context.getBean(LastReload.class).inEffect();
			this.source.failure = null;
			assertThat(Reloads.poll(context).problem()).isNull();
			assertThat(context.getBean(LastReload.class).inEffect()).isEqualTo(before);
			assertThat(limits(context)).isEqualTo("[2/1h]");
		});
	}

	@Test
	void refusesPoliciesWhoseNamesAreBoundAsOne() {
		this.source.properties = Map.of(LIMITS, "2/1h");
		this.application.run((context) -> {
			for (String other : List.of("Sourced", "sour-ced")) {
				this.source.properties = Map.of(LIMITS, "3/1h", "ratelimit.policies." + other + ".key", "principal");
				assertThat(Reloads.poll(context).problem()).contains("'ratelimit.policies." + other + "'",
						"'ratelimit.policies.sourced'", "which are one name");
			}
			assertThat(limits(context)).isEqualTo("[2/1h]");
		});
	}

	@Test
	@Timeout(20)
	void doesNotReplacePlaceholdersThatWouldTakeForever() {
		this.application.run((context) -> {
			Map<String, String> properties = new HashMap<>();
			for (int key = 0; key < 9; key++) {
				properties.put("ratelimit.policies.p" + key + ".limits",
						("${ratelimit.policies.p" + (key + 1) + ".limits}").repeat(10));
			}
			properties.put("ratelimit.policies.p9.limits", "2/1h");
			this.source.properties = properties;
			assertThat(Reloads.poll(context).problem()).contains("has the value '${ratelimit.policies.p");
		});
	}

	@Test
	void asksAgainAfterAnError(CapturedOutput output) {
		this.source.error = new NoClassDefFoundError("a/Driver");
		this.application.withPropertyValues("ratelimit.policy-source.interval=10ms").run((context) -> {
			assertThat(Reloads.last(context).problem()).contains("java.lang.NoClassDefFoundError");
			this.source.properties = Map.of(LIMITS, "4/1h");
			this.source.error = new StackOverflowError();
			Awaitility.await()
				.untilAsserted(() -> assertThat(Reloads.last(context).problem()).contains("StackOverflowError"));
			this.source.error = null;
			Awaitility.await()
				.untilAsserted(() -> assertThat(context.getBean(Policies.class).names()).contains("sourced"));
		});
		assertThat(output).containsOnlyOnce("The policy source failed with java.lang.StackOverflowError");
	}

	@Test
	void startsWithTheConfigurationAloneIfTheSourceFails() {
		this.source.properties = Map.of(LIMITS, "2/1h");
		this.source.failure = new IllegalStateException();
		this.application.run((context) -> {
			assertThat(context.getBean(Policies.class).names()).containsExactly("configured");
			assertThat(Reloads.last(context).problem()).startsWith("The policy source failed");
			this.source.failure = null;
			assertThat(Reloads.poll(context).problem()).isNull();
			assertThat(limits(context)).isEqualTo("[2/1h]");
		});
	}

	@Test
	void asksAtTheInterval() {
		this.application.withPropertyValues("ratelimit.policy-source.interval=10ms").run((context) -> {
			this.source.properties = Map.of(LIMITS, "4/1h");
			Awaitility.await()
				.untilAsserted(() -> assertThat(context.getBean(Policies.class).names()).contains("sourced"));
		});
		this.application.withPropertyValues("ratelimit.policy-source.interval=0s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("'ratelimit.policy-source.interval' must be at least 1ms, was 'PT0S'"));
	}

	@Test
	void waitsUntilFilesAreWritten() {
		this.application.withPropertyValues("ratelimit.reload-interval=1h").run((context) -> {
			TestPropertyValues.of("ratelimit.policies.configured.limits=7/1h")
				.applyTo((ConfigurableApplicationContext) context);
			context.getBean(ConfigurationReload.class).poll();
			assertThat(context.getBean(Policies.class).get("configured").limits()).hasToString("[1/1h]");
			context.getBean(ConfigurationReload.class).poll();
			assertThat(context.getBean(Policies.class).get("configured").limits()).hasToString("[7/1h]");
		});
	}

	@Test
	void bansByPenaltiesAndFollowsSchedulesOfTheSource() {
		this.application.run((context) -> {
			this.source.properties = Map.of(LIMITS, "2/1h", "ratelimit.policies.sourced.key", "principal",
					"ratelimit.policies.sourced.penalty.after", "3/1m",
					"ratelimit.policies.sourced.schedules[0].limits", "8/1h");
			assertThat(Reloads.poll(context).needRestart()).isEmpty();
			assertThat(context.getBean(Penalties.class).byPolicy()).containsOnlyKeys("sourced");
			assertThat(limits(context)).isEqualTo("[8/1h]");
			assertThat(context).hasBean("io.github.ratelimit.scheduleTask");
		});
	}

	@Test
	void takesPoliciesOfTheSourceForUnused() {
		this.source.properties = Map.of(LIMITS, "2/1h");
		this.application.run((context) -> {
			assertThat(context.getBean(Findings.class).all()).extracting("subject").contains("sourced");
		});
	}

	@Test
	void putsRulesBehindThoseOfServlets() {
		new WebApplicationContextRunner().withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
			.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withBean(PolicySource.class, this::withRule)
			.withPropertyValues(PROPERTIES_OF_RULES)
			.run(this::putsRulesBehindOthers);
	}

	@Test
	void putsRulesBehindThoseOfWebFlux() {
		new ReactiveWebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WebFluxAutoConfiguration.class))
			.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withBean(PolicySource.class, this::withRule)
			.withPropertyValues(PROPERTIES_OF_RULES)
			.run(this::putsRulesBehindOthers);
	}

	private PolicySource withRule() {
		this.source.properties = Map.of(LIMITS, "2/1h", "ratelimit.rules[0].paths", "/sourced",
				"ratelimit.rules[0].policies", "configured,sourced");
		return this.source;
	}

	private void putsRulesBehindOthers(ApplicationContext context) {
		assertThat(paths(context)).containsExactly("/configured", "/sourced");
		this.source.properties = Map.of();
		assertThat(Reloads.poll(context).problem()).isNull();
		assertThat(paths(context)).containsExactly("/configured");
		this.source.properties = Map.of("ratelimit.rules[0].paths", "/sourced", "ratelimit.rules[0].policies",
				"sourced");
		assertThat(Reloads.poll(context).problem())
			.contains("'ratelimit.rules[1].policies[0]' has the value 'sourced'");
	}

	@Test
	void takesNothingWithoutASource() {
		RateLimitContext.inMemory()
			.run((context) -> assertThat(context).doesNotHaveBean(ConfigurationReload.class)
				.doesNotHaveBean("io.github.ratelimit.policySourceTask")
				.doesNotHaveBean(Penalties.class));
	}

	private static List<String> paths(ApplicationContext context) {
		return context.getBean(RateLimitRules.class)
			.all()
			.stream()
			.map(RateLimitRule::paths)
			.map((paths) -> paths.get(0).getPatternString())
			.toList();
	}

	private static String limits(ApplicationContext context) {
		return context.getBean(Policies.class).get("sourced").limits().toString();
	}

	private static long admitted(ApplicationContext context) {
		RateLimiter limiter = context.getBean(RateLimiter.class);
		long admitted = 0;
		for (int i = 0; i < 9; i++) {
			admitted += limiter.acquire(Charge.of("sourced", "global")).allowed() ? 1 : 0;
		}
		return admitted;
	}

	/** A source whose properties a test changes. */
	private static final class Source implements PolicySource {

		private volatile Map<String, ?> properties = Map.of();

		private volatile @Nullable RuntimeException failure;

		private volatile @Nullable Error error;

		@Override
		public Map<String, ?> properties() {
			Error error = this.error;
			if (error != null) {
				throw error;
			}
			RuntimeException failure = this.failure;
			if (failure != null) {
				throw failure;
			}
			return this.properties;
		}

	}

	static class Service {

		@RateLimited("sourced")
		void call() {
		}

	}

}
