package io.github.ratelimit.autoconfigure;

import java.util.List;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.spring.override.OverrideCache;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

class LimitOverridesTests {

	private final ApplicationContextRunner plain = RateLimitContext.inMemory()
		.withPropertyValues("ratelimit.policies.api.limits=1/1h");

	private final ApplicationContextRunner overriding = this.plain.withBean(LimitOverrides.class,
			() -> (policy, key) -> key.equals("a") ? List.of(Limit.parse("50/1h", Algorithm.TOKEN_BUCKET)) : List.of());

	@Test
	void limitsCallersByTheBean() {
		this.overriding.run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiter.class);
			assertThat(limiter.acquire(new Charge("api", "a", 20)).limits().get(0).remaining()).isEqualTo(30);
			assertThat(limiter.acquireAsync(new Charge("api", "b", 1)).toCompletableFuture().join().limits().get(0))
				.satisfies((limit) -> assertThat(limit.limit()).hasToString("1/1h"));
		});
	}

	@Test
	void countsLookupsThatFail() {
		this.plain.withBean(LimitOverrides.class, () -> (policy, key) -> {
			throw new IllegalStateException("gone");
		}).withUserConfiguration(Registry.class).run((context) -> {
			context.getBean(RateLimiter.class).acquire(new Charge("api", "a", 1));
			assertThat(context.getBean(MeterRegistry.class)
				.get("ratelimit.overrides.failures")
				.tags("kind", "error", "limits", "plan")
				.functionCounter()
				.count()).isOne();
		});
	}

	@Test
	void remembersNothingWithoutTheBean() {
		this.plain.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(OverrideCache.class));
	}

	@Test
	void startsWithoutCaffeineWhereThereIsNoBean() {
		this.plain.withClassLoader(new FilteredClassLoader(Caffeine.class.getPackageName()))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void requiresCaffeineWhereThereIsABean() {
		this.overriding.withClassLoader(new FilteredClassLoader(Caffeine.class.getPackageName()))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidRateLimitConfigurationException.class)
				.hasMessageContaining("no Caffeine to remember its answers"));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "expire-after-write=0s", "timeout=-1s", "max-keys=0", "max-lookups=0", "max-lookups=1001" })
	void namesAPropertyThatIsWrong(String property) {
		this.overriding.withPropertyValues("ratelimit.overrides." + property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidRateLimitConfigurationException.class)
				.hasMessageContaining(
						"The property 'ratelimit.overrides." + property.substring(0, property.indexOf('='))));
	}

	@Configuration(proxyBeanMethods = false)
	static class Registry {

		@Bean
		MeterRegistry registry() {
			return new SimpleMeterRegistry();
		}

	}

}
