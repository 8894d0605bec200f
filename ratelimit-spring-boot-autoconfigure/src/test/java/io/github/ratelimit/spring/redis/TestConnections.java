package io.github.ratelimit.spring.redis;

import io.github.ratelimit.redis.TestRedis;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The connections to the Redis that tests share. */
public final class TestConnections {

	private TestConnections() {
	}

	/** Returns started connections, which the test destroys. */
	public static LettuceConnectionFactory lettuce() {
		LettuceConnectionFactory connections = new LettuceConnectionFactory(TestRedis.shared().host(),
				TestRedis.shared().port());
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

}
