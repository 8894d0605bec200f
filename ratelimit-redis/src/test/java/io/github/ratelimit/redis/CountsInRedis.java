package io.github.ratelimit.redis;

import java.time.Duration;

import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.CountsElsewhere;
import io.github.ratelimit.store.RateLimitStore;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A test that counts in the Redis of the JVM. */
public interface CountsInRedis extends CountsElsewhere {

	@Override
	default RateLimitStore elsewhere() {
		LettuceConnectionFactory connections = new LettuceConnectionFactory(TestRedis.shared().host(),
				TestRedis.shared().port());
		connections.afterPropertiesSet();
		connections.start();
		return RedisRateLimitStore.on(connections, "test-" + System.nanoTime(), Duration.ofSeconds(10));
	}

}
