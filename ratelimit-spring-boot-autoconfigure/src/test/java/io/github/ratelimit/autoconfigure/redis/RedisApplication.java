package io.github.ratelimit.autoconfigure.redis;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.store.RateLimitStoreAutoConfiguration;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that only says where its Redis is and what its policies are:
 * {@code three} admits three calls an hour, {@code both} two an hour and a hundred a day.
 */
final class RedisApplication {

	private RedisApplication() {
	}

	static ApplicationContextRunner application(String driver, String... redis) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, SslAutoConfiguration.class,
					RateLimitRedisAutoConfiguration.class, RateLimitStoreAutoConfiguration.class,
					RateLimitAutoConfiguration.class))
			.withPropertyValues("ratelimit.redis.timeout=5s", "ratelimit.redis.controls=false",
					"ratelimit.on-store-failure=deny", "ratelimit.policies.three.limits=3/1h",
					"ratelimit.policies.both.limits=2/1h,100/1d", "spring.data.redis.client-type=" + driver)
			.withPropertyValues(Stream.of(redis).map("spring.data.redis."::concat).toArray(String[]::new));
	}

	static RateLimiter limiter(AssertableApplicationContext context) {
		assertThat(context).hasSingleBean(RedisRateLimitStore.class);
		return context.getBean(RateLimiter.class);
	}

	static Decision async(RateLimiter limiter, Charge charge) {
		return limiter.acquireAsync(charge).toCompletableFuture().join();
	}

	static LimitDecision only(Decision decision) {
		assertThat(decision.limits()).hasSize(1);
		return decision.limits().get(0);
	}

	static List<Long> remaining(Decision decision) {
		return decision.limits().stream().map(LimitDecision::remaining).toList();
	}

}
