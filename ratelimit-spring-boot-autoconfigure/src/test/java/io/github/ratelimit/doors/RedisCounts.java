package io.github.ratelimit.doors;

import java.time.Duration;

import io.github.ratelimit.redis.TestRedis;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.RateLimitStore;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A store in the Redis of the tests, without counts. */
final class RedisCounts {

	private RedisCounts() {
	}

	/** Returns a store whose counts no other has. */
	static RateLimitStore create() {
		LettuceConnectionFactory connections = new LettuceConnectionFactory(TestRedis.shared().host(),
				TestRedis.shared().port());
		connections.afterPropertiesSet();
		connections.start();
		return RedisRateLimitStore.on(connections, "doors-" + System.nanoTime(), Duration.ofSeconds(10));
	}

}
