package io.github.ratelimit.spring.redis;

import java.time.Duration;

import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.store.BreakerState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The number of instances that share a real Redis.
 */
@Tag("long")
class InstanceCountIT {

	private static final String PREFIX = "shared";

	@Test
	void countsTheInstancesThatAreThereAndKeepsTheNumberWhenRedisIsGone() {
		try (RedisProcess redis = RedisProcess.start()) {
			LettuceConnectionFactory application = TestConnections.lettuce(redis);
			RedisRateLimitStore one = store(application);
			await().until(() -> redis.commands().keys(PREFIX + ":1:~instances:*").size() == 1);
			try (RedisRateLimitStore two = store(application)) {
				await().until(two::instances, (known) -> known == 2);
				one.close();
				try (RedisRateLimitStore three = store(application)) {
					await().until(three::instances, (known) -> known == 2);
					redis.kill();
					await().until(three::breakerState, (state) -> state != BreakerState.CLOSED);
					assertThat(three.instances()).isEqualTo(2);
				}
			}
			application.destroy();
		}
	}

	private static RedisRateLimitStore store(LettuceConnectionFactory application) {
		RedisRateLimitStore store = RedisRateLimitStore.on(application, PREFIX, Duration.ofMillis(300));
		store.countInstancesWhile(() -> true);
		store.warmUp();
		return store;
	}

}
