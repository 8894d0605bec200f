package io.github.ratelimit.autoconfigure;

import jakarta.servlet.Servlet;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.spring.actuate.RateLimitsEndpoint;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import io.github.ratelimit.spring.key.ServletCallerSource;
import io.github.ratelimit.spring.method.ReactiveCalls;
import io.github.ratelimit.spring.metrics.RateLimitMetrics;
import io.github.ratelimit.spring.metrics.RateLimitObservations;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.spring.web.RateLimitExceptionHandler;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.http.ProblemDetail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class RateLimitAutoConfigurationTests {

	private final ApplicationContextRunner context = new ApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withPropertyValues("ratelimit.policies.quotes.limits=1/1m");

	private final ApplicationContextRunner withRedis = this.context
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class));

	@Test
	void countsInMemoryWithoutAConnectionFactory() {
		this.context.run((context) -> {
			assertThat(context).getBean(RateLimitStore.class).isInstanceOf(MemoryRateLimitStore.class);
			RateLimiter limiter = context.getBean(RateLimiter.class);
			assertThat(limiter.acquire(Charge.of("quotes", "a")).allowed()).isTrue();
			assertThat(limiter.acquire(Charge.of("quotes", "a")).allowed()).isFalse();
		});
	}

	@Test
	void countsInRedisWithAConnectionFactoryAlthoughRedisIsDown() {
		this.withRedis.withPropertyValues("spring.data.redis.port=1")
			.run((context) -> assertThat(context).getBean(RateLimitStore.class)
				.isInstanceOf(RedisRateLimitStore.class));
	}

	@Test
	void leavesTheApplicationWithItsOneConnectionFactory() {
		this.withRedis.withPropertyValues("spring.data.redis.port=1").run((context) -> {
			assertThat(context).hasSingleBean(RedisConnectionFactory.class);
			assertThat(context).hasSingleBean(StringRedisTemplate.class);
		});
	}

	@Test
	void countsInMemoryWhereConfigured() {
		this.withRedis.withPropertyValues("ratelimit.store=memory")
			.run((context) -> assertThat(context).getBean(RateLimitStore.class)
				.isInstanceOf(MemoryRateLimitStore.class));
	}

	@Test
	void countsInAStoreOfTheApplication() {
		this.withRedis.withBean(RateLimitStore.class, TestStore::new)
			.run((context) -> assertThat(context).getBean(RateLimitStore.class).isInstanceOf(TestStore.class));
	}

	@Test
	void doesWhileTheStoreFailsAsThePolicyOrElseTheWholeConfigurationSays() {
		this.context
			.withPropertyValues("ratelimit.on-store-failure=local", "ratelimit.local-share=25",
					"ratelimit.policies.strict.limits=1/1m", "ratelimit.policies.strict.on-store-failure=deny",
					"ratelimit.policies.half.limits=1/1m", "ratelimit.policies.half.local-share=50",
					"ratelimit.policies.equal.limits=1/1m", "ratelimit.policies.equal.local-share=auto")
			.withBean(Stated.class)
			.run((context) -> {
				Policies policies = context.getBean(Policies.class);
				assertThat(policies.all())
					.extracting(Policy::name, (policy) -> policy.options().onStoreFailure(),
							(policy) -> policy.options().localShare().toString())
					.containsExactlyInAnyOrder(tuple("quotes", OnStoreFailure.LOCAL, "25"),
							tuple("strict", OnStoreFailure.DENY, "25"), tuple("half", OnStoreFailure.LOCAL, "50"),
							tuple("equal", OnStoreFailure.LOCAL, "auto"), tuple("stated", OnStoreFailure.LOCAL, "25"));
			});
		this.context.run((context) -> assertThat(context.getBean(Policies.class).get("quotes").options())
			.isEqualTo(PolicyOptions.STANDARD));
	}

	@Test
	void keepsTheStoreForFailuresToItself() {
		this.withRedis.withPropertyValues("spring.data.redis.port=1")
			.run((context) -> assertThat(context).hasSingleBean(RateLimitStore.class)
				.doesNotHaveBean(MemoryRateLimitStore.class));
	}

	@ParameterizedTest
	@ValueSource(classes = { RedisConnectionFactory.class, MeterRegistry.class, ObservationRegistry.class,
			Endpoint.class, Mono.class, Servlet.class, ProblemDetail.class })
	void startsWithoutAnyOptionalTechnology(Class<?> technology) {
		this.context.withClassLoader(new FilteredClassLoader(technology)).run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(RateLimiter.class);
			assertThat(context.getBean(RateLimiter.class).acquire(Charge.of("quotes", "a")).allowed()).isTrue();
		});
	}

	@Test
	void startsWithNoOptionalTechnologyAtAll() {
		this.context
			.withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class, MeterRegistry.class,
					ObservationRegistry.class, Endpoint.class, Mono.class, Servlet.class, ProblemDetail.class))
			.run((context) -> assertThat(context).hasSingleBean(RateLimiter.class)
				.doesNotHaveBean(RateLimitObservations.class)
				.doesNotHaveBean(ReactiveCalls.class)
				.doesNotHaveBean(RateLimitMetrics.class)
				.doesNotHaveBean(RateLimitsEndpoint.class)
				.doesNotHaveBean(RateLimitExceptionHandler.class));
	}

	@Test
	void respondsOverServlets() {
		new WebApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.run((context) -> assertThat(context).hasSingleBean(RateLimitExceptionHandler.class)
				.hasSingleBean(ServletCallerSource.class)
				.doesNotHaveBean(ReactiveCallerSource.class));
	}

	@Test
	void respondsOverWebFlux() {
		new ReactiveWebApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.run((context) -> assertThat(context).hasSingleBean(RateLimitExceptionHandler.class)
				.hasSingleBean(ReactiveCallerSource.class)
				.doesNotHaveBean(ServletCallerSource.class));
	}

	@Test
	void recordsWhereThereIsARegistry() {
		this.context.run((context) -> assertThat(context).doesNotHaveBean(RateLimitMetrics.class));
		this.context.withBean(SimpleMeterRegistry.class)
			.run((context) -> assertThat(context).hasSingleBean(RateLimitMetrics.class));
	}

	@Test
	void showsItselfWhereExposed() {
		this.context.run((context) -> assertThat(context).doesNotHaveBean(RateLimitsEndpoint.class));
		this.context.withPropertyValues("management.endpoints.web.exposure.include=ratelimits")
			.run((context) -> assertThat(context).hasSingleBean(RateLimitsEndpoint.class));
	}

	@Test
	void doesNothingWhereDisabled() {
		this.withRedis
			.withPropertyValues("ratelimit.enabled=false", "management.endpoints.web.exposure.include=ratelimits")
			.withBean(SimpleMeterRegistry.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(RateLimiter.class)
				.doesNotHaveBean(RateLimitStore.class)
				.doesNotHaveBean(Policies.class)
				.doesNotHaveBean(RateLimitMetrics.class)
				.doesNotHaveBean(RateLimitsEndpoint.class));
	}

	static class Stated {

		@RateLimited(policy = "stated", limit = "5/1m")
		void call() {
		}

	}

}
