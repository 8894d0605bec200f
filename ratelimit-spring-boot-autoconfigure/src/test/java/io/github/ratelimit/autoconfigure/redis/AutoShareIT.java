package io.github.ratelimit.autoconfigure.redis;

import java.util.stream.LongStream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.RateLimitStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Applications that divide a limit among themselves when Redis is gone.
 */
@Tag("long")
class AutoShareIT {

	@Test
	void admitsAnEqualPartOfTheLimitWhenRedisIsGone() {
		try (RedisProcess redis = RedisProcess.start()) {
			ApplicationContextRunner application = RedisApplication.application("lettuce", "port=" + redis.port())
				.withPropertyValues("ratelimit.redis.timeout=300ms", "ratelimit.policies.whole.limits=100/1h",
						"ratelimit.policies.shared.limits=100/1h", "ratelimit.policies.shared.local-share=auto",
						"ratelimit.policies.shared.on-store-failure=local",
						"ratelimit.policies.whole.on-store-failure=local");
			application.run((first) -> {
				await().until(() -> redis.commands().keys("ratelimit:1:~instances:*").size() == 1);
				application.run((second) -> {
					RateLimitStore store = second.getBean(RateLimitStore.class);
					await().until(store::instances, (known) -> known == 2);
					redis.kill();
					await().until(store::breakerState, (state) -> state == BreakerState.OPEN);
					RateLimiter limiter = RedisApplication.limiter(second);
					assertThat(admitted(limiter, "shared")).isEqualTo(50);
					assertThat(admitted(limiter, "whole")).isEqualTo(100);
				});
			});
		}
	}

	@Test
	void countsNoInstancesUnlessAPolicyDividesItsLimits() {
		try (RedisProcess redis = RedisProcess.start()) {
			RedisApplication.application("lettuce", "port=" + redis.port()).run((context) -> {
				long before = probes(redis);
				await().until(() -> probes(redis) > before + 2);
				assertThat(redis.commands().keys("*~instances*")).isEmpty();
			});
		}
	}

	private static long admitted(RateLimiter limiter, String policy) {
		return LongStream.range(0, 120).filter((call) -> limiter.acquire(Charge.of(policy, "ada")).allowed()).count();
	}

	private static long probes(RedisProcess redis) {
		return redis.commands()
			.info("commandstats")
			.lines()
			.filter((line) -> line.startsWith("cmdstat_evalsha:calls="))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf('=') + 1, line.indexOf(','))))
			.sum();
	}

}
