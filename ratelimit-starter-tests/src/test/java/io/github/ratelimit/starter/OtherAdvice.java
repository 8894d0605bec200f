package io.github.ratelimit.starter;

import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.store.RateLimitStoreAutoConfiguration;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Contexts in which methods have a limit and advice of others.
 */
final class OtherAdvice {

	private OtherAdvice() {
	}

	static ApplicationContextRunner context() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, RateLimitStoreAutoConfiguration.class,
					RateLimitAutoConfiguration.class, RateLimitMethodAutoConfiguration.class))
			.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.many.limits=100000/1h");
	}

}
