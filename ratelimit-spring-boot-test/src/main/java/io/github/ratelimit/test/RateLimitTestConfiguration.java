package io.github.ratelimit.test;

import java.util.List;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.control.MemoryControlStore;
import io.github.ratelimit.spring.key.CallerBeans;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.web.server.WebFilter;

/**
 * The beans of a test, which take the place of an application's stores, and the
 * auto-configurations that a slice lacks.
 */
@TestConfiguration(proxyBeanMethods = false)
@Import(RateLimitImportSelector.class)
final class RateLimitTestConfiguration {

	/** Creates the store, which is primary as an application may have its own. */
	@Bean("io.github.ratelimit.testStore")
	@Primary
	TestStore rateLimitTestStore() {
		return new TestStore(new TestClock());
	}

	@Bean("io.github.ratelimit.testControlStore")
	@Primary
	MemoryControlStore rateLimitTestControlStore(TestStore store) {
		return new MemoryControlStore(store.clock());
	}

	/** Creates the resolver beans that keys and plans name. */
	@Bean("io.github.ratelimit.testCallerBeans")
	@Primary
	CallerBeans rateLimitTestCallerBeans(@Qualifier("io.github.ratelimit.callerBeans") CallerBeans application,
			BeanFactory beans, Environment environment, ObjectProvider<Policies> policies) {
		boolean isSlice = !environment.getProperty(EnableAutoConfiguration.ENABLED_OVERRIDE_PROPERTY, Boolean.class,
				true);
		return isSlice ? new SliceBeans(beans, policies::getObject).of(application) : application;
	}

	@Bean("io.github.ratelimit.limits")
	TestRateLimits rateLimits(TestStore store, Policies policies, Controls controls, KeyUses uses,
			ObjectProvider<LimitOverrides> overrides) {
		RateLimiter unnoticed = new RateLimiter(policies, store.queue(), new MemoryRateLimitStore(1), List.of(),
				overrides.getIfAvailable(() -> LimitOverrides.NONE));
		return new TestRateLimits(store, policies, controls, unnoticed, uses);
	}

	@Bean("io.github.ratelimit.testKeyUses")
	KeyUses rateLimitTestKeyUses(KeyResolvers keys, RateLimitedMethods methods, ConfigurableListableBeanFactory beans) {
		return new KeyUses(keys, methods, beans);
	}

	@Bean("io.github.ratelimit.testTurns")
	TestTurns rateLimitTestTurns(TestRateLimits limits, TestStore store) {
		return new TestTurns(limits, store);
	}

	@TestConfiguration(proxyBeanMethods = false)
	@ConditionalOnClass(WebFilter.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class MockClients {

		@Bean("io.github.ratelimit.loopbackWebFilter")
		LoopbackWebFilter rateLimitLoopbackWebFilter() {
			return new LoopbackWebFilter();
		}

	}

}
