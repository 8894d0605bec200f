package io.github.ratelimit.spring.redis;

import io.github.ratelimit.redis.TestRedis;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Connections to the Redis that tests share.
 */
final class TestConnections {

	private TestConnections() {
	}

	/** Started, to be destroyed by the test. */
	static LettuceConnectionFactory lettuce() {
		LettuceConnectionFactory connections = new LettuceConnectionFactory(TestRedis.shared().host(),
				TestRedis.shared().port());
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

}
