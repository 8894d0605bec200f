package io.github.ratelimit.spring.redis;

import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.TestRedis;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connections of tests to Redis. */
public final class TestConnections {

	private TestConnections() {
	}

	/** Returns started connections, which the test destroys. */
	public static LettuceConnectionFactory lettuce() {
		return started(new LettuceConnectionFactory(TestRedis.shared().host(), TestRedis.shared().port()));
	}

	/** Returns started connections to a Redis of the test, which destroys them. */
	public static LettuceConnectionFactory lettuce(RedisProcess redis) {
		return started(new LettuceConnectionFactory("127.0.0.1", redis.port()));
	}

	private static LettuceConnectionFactory started(LettuceConnectionFactory connections) {
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

}
