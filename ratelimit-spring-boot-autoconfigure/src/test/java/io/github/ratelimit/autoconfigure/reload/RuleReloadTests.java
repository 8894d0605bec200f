package io.github.ratelimit.autoconfigure.reload;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.BackgroundTask;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.control.Penalties;
import io.github.ratelimit.spring.control.Penalty;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.finding.LastReload;
import io.github.ratelimit.spring.finding.LastReload.Reload;
import io.github.ratelimit.spring.web.RateLimitRule;
import io.github.ratelimit.spring.web.RateLimitRules;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RuleReloadTests {

	private static final String[] PROPERTIES = { "ratelimit.store=memory", "ratelimit.reload-interval=1h",
			"ratelimit.policies.x.limits=5/1m", "ratelimit.rules[0].paths=/a", "ratelimit.rules[0].policies=x" };

	@Test
	void replacesRulesOfServlets() {
		new WebApplicationContextRunner().withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
			.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withPropertyValues(PROPERTIES)
			.run(RuleReloadTests::replacesRules);
	}

	@Test
	void replacesRulesOfWebFlux() {
		new ReactiveWebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WebFluxAutoConfiguration.class))
			.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withPropertyValues(PROPERTIES)
			.run(RuleReloadTests::replacesRules);
	}

	@Test
	void readsNothingAgainUnlessConfigured() {
		RateLimitContext.inMemory().run((context) -> assertThat(context).doesNotHaveBean(ConfigurationReload.class));
	}

	@Test
	void refusesAnIntervalOfNothing() {
		RateLimitContext.inMemory()
			.withPropertyValues("ratelimit.reload-interval=0s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("'ratelimit.reload-interval' must be at least 1ms, was 'PT0S'"));
	}

	@Test
	void refusesAnInvalidPenaltyBeforeAnythingTakesEffect() {
		RateLimitContext.inMemory()
			.withPropertyValues("ratelimit.reload-interval=1h", "ratelimit.policies.x.limits=5/1m")
			.run((context) -> {
				Reloads.of(context, "ratelimit.policies.x.limits=6/1m", "ratelimit.policies.x.penalty.after=often");
				assertThat(context.getBean(LastReload.class).get()).extracting("problem")
					.asString()
					.contains("'ratelimit.policies.x.penalty.after' has the value 'often'");
				assertThat(context.getBean(Policies.class).get("x").limits()).hasToString("[5/1m]");
			});
	}

	@Test
	void changesPenalties() {
		RateLimitContext.inMemory()
			.withPropertyValues("ratelimit.reload-interval=1h", "ratelimit.policies.x.limits=1/1h",
					"ratelimit.policies.x.key=principal")
			.run((context) -> {
				Penalties penalties = context.getBean(Penalties.class);
				assertThat(penalties.byPolicy()).isEmpty();
				assertThat(Reloads.of(context, "ratelimit.policies.x.penalty.after=3/1m").needRestart()).isEmpty();
				RateLimiter limiter = context.getBean(RateLimiter.class);
				Awaitility.await()
					.untilAsserted(() -> assertThatExceptionOfType(BlockedCallerException.class)
						.isThrownBy(() -> limiter.acquire(Charge.of("x", "principal:eve"))));
				Reloads.of(context, "ratelimit.policies.x.penalty.after=9/1m");
				assertThat(penalties.byPolicy().get("x")).extracting(Penalty::after).hasToString("9/1m");
			});
	}

	@Test
	void namesPenaltiesIfNothingBansSinceTheStart() {
		RateLimitContext.inMemory()
			.withPropertyValues("ratelimit.policies.x.limits=1/1h", "ratelimit.policies.x.schedules[0].limits=2/1h")
			.run((context) -> assertThat(Reloads.of(context, "ratelimit.policies.x.penalty.after=3/1m").needRestart())
				.containsExactly("ratelimit.policies.x.penalty"));
	}

	@Test
	void looksForChangesUntilItIsStopped() throws InterruptedException {
		CountDownLatch looks = new CountDownLatch(3);
		BackgroundTask task = new BackgroundTask("test", () -> {
			looks.countDown();
			throw new IllegalStateException("which does not end it");
		}, Duration.ofMillis(1));
		task.start();
		assertThat(task.isRunning()).isTrue();
		assertThat(looks.await(10, TimeUnit.SECONDS)).isTrue();
		task.stop();
		assertThat(task.isRunning()).isFalse();
	}

	private static void replacesRules(ApplicationContext context) {
		assertThat(paths(context)).containsExactly("/a");
		Reloads.of(context, "ratelimit.rules[0].paths=/b", "ratelimit.policies.y.limits=7/1m",
				"ratelimit.rules[0].policies=y");
		assertThat(paths(context)).containsExactly("/b");
		Reloads.of(context, "ratelimit.rules[0].paths=/c", "ratelimit.rules[0].policies=z");
		assertThat(paths(context)).containsExactly("/b");
		assertThat(context.getBean(LastReload.class).get()).extracting("problem")
			.asString()
			.contains("rules[0].policies[0]' has the value 'z'");
	}

	@Test
	void checksWhatAReloadHasChangedAndForgetsWhatIsMended() {
		RateLimitContext.inMemory()
			.withPropertyValues("ratelimit.reload-interval=1h", "ratelimit.policies.x.limits=1/1h")
			.run((context) -> {
				Findings findings = context.getBean(Findings.class);
				assertThat(findings.all()).extracting(Finding::subject).containsExactly("x");
				Reloads.of(context, "ratelimit.policies.y.limits=1/1h", "ratelimit.policies.y.max-wait=2");
				assertThat(findings.all()).extracting(Finding::subject)
					.containsExactly("ratelimit.policies.y.max-wait", "x", "y");
				Reloads.of(context, "ratelimit.policies.y.max-wait=2s");
				assertThat(findings.all()).extracting(Finding::subject).containsExactly("x", "y");
			});
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void logsWhichRulesAndPoliciesHaveChanged(CapturedOutput output) {
		new WebApplicationContextRunner().withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
			.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withPropertyValues(PROPERTIES)
			.run((context) -> {
				Reload first = Reloads.of(context, "ratelimit.rules[0].cost=2", "ratelimit.rules[1].paths=/b",
						"ratelimit.rules[1].policies=y", "ratelimit.policies.y.limits=1/1m",
						"ratelimit.policies.x.limits=6/1m");
				assertThat(output).contains("changed policies: [x], added policies: [y], changed rules: [/a [x]], "
						+ "added rules: [/b [y]]");
				LastReload last = context.getBean(LastReload.class);
				assertThat(last.inEffect().since()).isEqualTo(first.at());
				Reloads.of(context, "ratelimit.rules[0].paths=/c");
				assertThat(output).contains("changed policies: [], added rules: [/c [x]], removed rules: [/a [x]]");
				Reload refused = Reloads.of(context, "ratelimit.rules[0].policies=z");
				assertThat(last.inEffect().since()).isBefore(refused.at());
				assertThat(output).doesNotContain("The new configuration has no");
			});
	}

	private static List<String> paths(ApplicationContext context) {
		return context.getBean(RateLimitRules.class)
			.all()
			.stream()
			.map(RateLimitRule::paths)
			.map((paths) -> paths.get(0).getPatternString())
			.toList();
	}

}
