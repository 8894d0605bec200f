package io.github.ratelimit.autoconfigure;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.spring.control.Penalties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

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

	@Test
	void warnsOfKeysThatClientsChoose(CapturedOutput output) {
		penalty("after=3/1m").withPropertyValues("ratelimit.policies.api.key=header:X-User")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("The property 'ratelimit.policies.api.penalty' bans keys by [header:X-User]",
				WARNING);
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

}
