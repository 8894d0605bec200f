package io.github.ratelimit.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.reload.Reloads;
import io.github.ratelimit.spring.control.Penalties;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.finding.Findings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of penalties in configuration.
 */
@ExtendWith(OutputCaptureExtension.class)
class PenaltyConfigurationTests {

	private static final String WARNING = "it can have another caller banned";

	private final ApplicationContextRunner runner = RateLimitContext.inMemory()
		.withPropertyValues("ratelimit.policies.api.limits=2/1h");

	@Test
	void bansAKeyAfterDenials(CapturedOutput output) {
		penalty("after=3/1m").withPropertyValues("ratelimit.policies.api.key=principal").run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiter.class);
			assertThatExceptionOfType(BlockedCallerException.class)
				.isThrownBy(() -> callUntilRefused(limiter, "principal:eve"));
			assertThat(limiter.acquire(Charge.of("api", "principal:bob")).allowed()).isTrue();
		});
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void listensToNothingWithoutAPenalty() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(Penalties.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "header:X-User", "host", "route", "query:user", "path:user", "#request.path",
			"principal,header:X-User", "header:X-User + route" })
	void findsKeysThatClientsMayChoose(String key, CapturedOutput output) {
		String chosen = key.replace("principal,", "");
		by(key).run((context) -> assertThat(found(context)).containsExactly("api"));
		assertThat(output).containsOnlyOnce("The penalty of the policy 'api' bans keys by [" + chosen
				+ "]. If a client can choose such a key, " + WARNING);
	}

	@ParameterizedTest
	@ValueSource(strings = { "client-ip", "principal", "claim:org", "session", "tenant", "global",
			"principal + header:X-User", "principal,client-ip" })
	void findsNoKeysThatTheServerKnows(String key, CapturedOutput output) {
		by(key).withPropertyValues("ratelimit.tenant=claim:org,claim:customer")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void findsTenantsThatClientsMayChoose(CapturedOutput output) {
		by("tenant").withPropertyValues("ratelimit.tenant=claim:org,header:X-Tenant")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("[tenant]", WARNING);
	}

	@Test
	void findsKeysOfAnnotations(CapturedOutput output) {
		by("principal").withBean(ByHeader.class).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("[header:X-User]", WARNING);
	}

	@Test
	void ignoresKeysThatClientsMayChoose(CapturedOutput output) {
		by("header:X-User").withPropertyValues("ratelimit.checks.ignore=penalty-by-chosen-key:api")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void findsKeysOfAPenaltyThatAReloadAdds() {
		this.runner
			.withPropertyValues("ratelimit.reload-interval=1h", "ratelimit.policies.api.key=header:X-User",
					"ratelimit.rules[0].paths=/**", "ratelimit.rules[0].policies=api")
			.run((context) -> {
				assertThat(found(context)).isEmpty();
				Reloads.of(context, "ratelimit.policies.api.penalty.after=3/1m");
				assertThat(found(context)).containsExactly("api");
			});
	}

	private static List<String> found(ApplicationContext context) {
		return context.getBean(Findings.class)
			.all()
			.stream()
			.filter((finding) -> finding.kind() == Kind.PENALTY_BY_CHOSEN_KEY)
			.map(Finding::subject)
			.toList();
	}

	private ApplicationContextRunner by(String key) {
		return penalty("after=3/1m").withPropertyValues("ratelimit.policies.api.key=" + key);
	}

	private ApplicationContextRunner penalty(String... properties) {
		return this.runner.withPropertyValues(Arrays.stream(properties)
			.map((property) -> "ratelimit.policies.api.penalty." + property)
			.toArray(String[]::new));
	}

	private static void callUntilRefused(RateLimiter limiter, String key) {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
		while (System.nanoTime() < end) {
			limiter.acquire(Charge.of("api", key));
		}
	}

	static class ByHeader {

		@RateLimited(policy = "api", key = "header:X-User")
		void call() {
		}

	}

}
