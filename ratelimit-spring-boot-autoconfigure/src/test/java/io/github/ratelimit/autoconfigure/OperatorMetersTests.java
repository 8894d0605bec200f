package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.ratelimit.autoconfigure.reload.Reloads;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.PolicySource;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Control.Pause;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.finding.Findings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class OperatorMetersTests {

	private static final String LIMITS = "ratelimit.policies.api.limits=";

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final ApplicationContextRunner application = RateLimitContext.inMemory()
		.withBean(SimpleMeterRegistry.class, () -> this.registry)
		.withPropertyValues("ratelimit.reload-interval=1h", LIMITS + "10/1m", "ratelimit.policies.api.key=principal");

	@Test
	void showTheConfigurationInEffectAlone() {
		this.application.run((context) -> {
			String before = digest();
			Reloads.of(context, LIMITS + "20/1m");
			assertThat(digest()).isNotEqualTo(before);
			Reloads.of(context, LIMITS + "10/1m");
			assertThat(digest()).isEqualTo(before);
		});
	}

	@Test
	void showOneDigestForOneConfigurationWhereverItsPropertiesAre() {
		String digest = digest(
				RateLimitContext.inMemory().withPropertyValues(LIMITS + "1/1s", "ratelimit.mode=shadow"));
		assertThat(digest(RateLimitContext.inMemory().withSystemProperties("ratelimit.mode=shadow", LIMITS + "1/1s")))
			.isEqualTo(digest);
		assertThat(digest(RateLimitContext.inMemory().withPropertyValues(LIMITS + "1/1s"))).isNotEqualTo(digest);
	}

	@Test
	void showAnotherDigestIfThePolicySourceReturnsOthers() {
		String one = digest(sourced(Map.of("ratelimit.policies.x.limits", List.of("1/1s", "9/1h"))));
		assertThat(digest(sourced(Map.of("ratelimit.policies.x.limits", new String[] { "1/1s", "9/1h" }))))
			.isEqualTo(one);
		assertThat(digest(sourced(Map.of("ratelimit.policies.x.limits", List.of("1/1s", "8/1h"))))).isNotEqualTo(one);
	}

	@Test
	void showThatAReloadIsRefusedOrNeedsARestart() {
		this.application.run((context) -> {
			assertThat(gauge("ratelimit.configuration.refused")).isZero();
			String before = digest();
			Reloads.of(context, LIMITS + "often");
			assertThat(gauge("ratelimit.configuration.refused")).isOne();
			assertThat(digest()).isEqualTo(before);
			Reloads.of(context, LIMITS + "20/1m", "ratelimit.memory.max-keys=50000");
			assertThat(gauge("ratelimit.configuration.refused")).isZero();
			assertThat(gauge("ratelimit.configuration.pending")).isOne();
			assertThat(this.registry.get("ratelimit.configuration.age").timeGauge().value()).isBetween(0.0, 60_000.0);
		});
	}

	@Test
	void countControlsByKindAndThoseOfOtherPolicies() {
		this.application.run((context) -> {
			assertThat(gauge("ratelimit.controls", "kind", "ban")).isZero();
			Controls controls = context.getBean(Controls.class);
			controls.start();
			controls.set(new Ban("api", "principal:eve"), Duration.ofHours(1));
			controls.set(new Ban("api", "principal:mallory"), Duration.ofHours(1));
			controls.set(new Block("ip:192.0.2.1"), Duration.ofHours(1));
			controls.set(new Pause("api", "principal:eve"), Duration.ofHours(1));
			controls.set(new Change("api", List.of(), EnforcementMode.OFF, null), null);
			assertThat(gauge("ratelimit.controls", "kind", "ban")).isEqualTo(2);
			assertThat(gauge("ratelimit.controls", "kind", "pause")).isOne();
			controls.configure(List.of(), Set.of("api"));
			assertThat(gauge("ratelimit.controls.skipped")).isEqualTo(4);
			assertThat(gauge("ratelimit.controls", "kind", "ban")).isZero();
			assertThat(gauge("ratelimit.controls", "kind", "change")).isZero();
			assertThat(gauge("ratelimit.controls", "kind", "block")).isOne();
		});
	}

	@Test
	void countFindings() {
		this.application.run((context) -> assertThat(gauge("ratelimit.findings")).isPositive()
			.isEqualTo(context.getBean(Findings.class).all().size()));
	}

	private static ApplicationContextRunner sourced(Map<String, Object> properties) {
		return RateLimitContext.inMemory().withBean(PolicySource.class, () -> () -> properties);
	}

	private String digest(ApplicationContextRunner application) {
		this.registry.clear();
		application.withBean(SimpleMeterRegistry.class, () -> this.registry).run((context) -> digest());
		return digest();
	}

	private String digest() {
		Gauge shown = this.registry.get("ratelimit.configuration").gauges().iterator().next();
		assertThat(this.registry.get("ratelimit.configuration").gauges()).hasSize(1);
		assertThat(shown.value()).isOne();
		return Objects.requireNonNull(shown.getId().getTag("digest"));
	}

	private double gauge(String name, String... tags) {
		return this.registry.get(name).tags(tags).gauge().value();
	}

}
